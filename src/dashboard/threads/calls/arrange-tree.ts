import * as z from 'zod/mini'
import type { TreeCall } from '../../../contract/call-tree'
import type { CallStatus } from '../../../contract/calls'
import { addDecimals, type Decimal, formatPlainDecimal, subtractDecimals, toDecimal, zero } from '../../../contract/decimal'
import { ReceivedNumber } from '../../../contract/received'
import type { ReceivedCall } from '../../../contract/received-call'
import { formatOpName } from '../../format/op-name'
import { toMicroseconds } from './to-microseconds'

/**
 * The tree of a call made from the calls of its trace, in the order of a walk: what `/calls/tree` sends where a service has it.
 * Then come the calls that name it as their turn and whose way up to it is broken.
 */
export function arrangeTree(calls: readonly ReceivedCall[], topId: string): TreeCall[] {
  const byId = new Map(calls.map((call) => [call.id, call]))
  const top = byId.get(topId)
  if (!top) return []
  const childrenById = groupByParent(byId)
  const order: ReceivedCall[] = []
  const placed = new Map<string, TreeCall>()
  for (const root of [top, ...calls.filter(({ turn_id: turnId }) => turnId === topId)]) {
    const cutBy = findCut(root, byId)
    if (root !== top && !cutBy) continue
    const stack = [root]
    for (let call = stack.pop(); call; call = stack.pop()) {
      // A circle leads back to where it was entered.
      if (placed.has(call.id)) continue
      const children = (childrenById.get(call.id) ?? []).filter(({ id }) => id !== root.id && !placed.has(id))
      order.push(call)
      placed.set(call.id, toTreeCall(call, children, placed.get(call.parent_id ?? ''), call === root ? cutBy : undefined))
      stack.push(...children.toReversed())
    }
  }
  const tree = order.flatMap(({ id }) => placed.get(id) ?? [])
  // Children come after their parents, so from the end each failure reaches all calls above it.
  for (const { status, parent_id: parentId } of tree.toReversed()) {
    const parent = placed.get(parentId ?? '')
    if (parent?.status === 'success' && (status === 'error' || status === 'descendant_error')) parent.status = 'descendant_error'
  }
  return tree
}

/** Why nothing is above a call although it names a parent. */
function findCut(call: ReceivedCall, byId: ReadonlyMap<string, ReceivedCall>): TreeCall['cut_by'] {
  if (call.parent_id === null) return undefined
  if (!byId.has(call.parent_id)) return 'missing'
  const passed = new Set<ReceivedCall>()
  for (let above = byId.get(call.parent_id); above && !passed.has(above); above = byId.get(above.parent_id ?? '')) {
    if (above === call) return 'circle'
    passed.add(above)
  }
  return undefined
}

function groupByParent(byId: ReadonlyMap<string, ReceivedCall>): Map<string, ReceivedCall[]> {
  const childrenById = new Map<string, ReceivedCall[]>()
  const inOrder = [...byId.values()].toSorted((left, right) => startOf(left) - startOf(right) || (left.id < right.id ? -1 : 1))
  for (const call of inOrder) {
    if (call.parent_id === null || !byId.has(call.parent_id)) continue
    const siblings = childrenById.get(call.parent_id)
    if (siblings) siblings.push(call)
    else childrenById.set(call.parent_id, [call])
  }
  return childrenById
}

/** A call without a start comes last. */
function startOf({ started_at: startedAt }: ReceivedCall): number {
  return startedAt === null ? Infinity : toMicroseconds(startedAt)
}

function toTreeCall(
  call: ReceivedCall,
  children: readonly ReceivedCall[],
  parent: TreeCall | undefined,
  cutBy: TreeCall['cut_by'],
): TreeCall {
  const usage = readOwnUsage(call, children)
  return {
    id: call.id,
    parent_id: cutBy ? null : call.parent_id,
    op_name: call.op_name ?? '',
    name: call.display_name || formatOpName(call.op_name ?? '') || call.id,
    kind: usage.model === null ? null : 'llm',
    // Without a time of its own it stands where its parent starts.
    started_at: call.started_at ?? parent?.started_at ?? call.ended_at ?? '1970-01-01T00:00:00Z',
    ended_at: call.ended_at,
    status: readStatus(call),
    self_ms: findSelfMs(call, children),
    model: usage.model,
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    costs: usage.costs,
    child_count: children.length,
    ...(cutBy && { cut_by: cutBy }),
  }
}

function readStatus({ exception, ended_at: endedAt }: ReceivedCall): CallStatus {
  return exception !== null ? 'error' : endedAt === null ? 'running' : 'success'
}

/** The milliseconds in which none of the children, which come in the order of their starts, was running. */
function findSelfMs(call: ReceivedCall, children: readonly ReceivedCall[]): number | null {
  if (call.ended_at === null || call.started_at === null) return null
  const endUs = toMicroseconds(call.ended_at)
  let coveredUntil = toMicroseconds(call.started_at)
  let selfUs = Math.max(0, endUs - coveredUntil)
  for (const child of children) {
    const childStart = Math.max(startOf(child), coveredUntil)
    const childEnd = Math.min(child.ended_at === null ? endUs : toMicroseconds(child.ended_at), endUs)
    if (childEnd <= childStart) continue
    selfUs -= childEnd - childStart
    coveredUntil = childEnd
  }
  return selfUs / 1000
}

const Usage = z.object({
  prompt_tokens: ReceivedNumber,
  input_tokens: ReceivedNumber,
  completion_tokens: ReceivedNumber,
  output_tokens: ReceivedNumber,
})
const Cost = z.object({
  prompt_tokens_total_cost: ReceivedNumber,
  completion_tokens_total_cost: ReceivedNumber,
  cache_read_input_tokens_total_cost: ReceivedNumber,
  cache_creation_input_tokens_total_cost: ReceivedNumber,
  prompt_token_cost_unit: z.optional(z.string()),
})
const Summary = z.object({
  usage: z.optional(z.record(z.string(), z.unknown())),
  weave: z.optional(z.object({ costs: z.optional(z.record(z.string(), z.unknown())) })),
})

type ModelUsage = { prompt: number; completion: number; cost: Decimal | undefined; currency: string }

/**
 * What a call spent itself. Weave's SDKs add what children spent to the calls above them, so it is what the call reports less
 * what its direct children report.
 */
function readOwnUsage(call: ReceivedCall, children: readonly ReceivedCall[]) {
  const own = readUsage(call)
  if (own.size > 0) {
    for (const child of children) for (const [model, spent] of readUsage(child)) subtract(own.get(model), spent)
  }
  const used = [...own].filter(([, { prompt, completion }]) => prompt + completion > 0)
  const totals = new Map<string, Decimal>()
  for (const [, { cost, currency }] of used) {
    if (cost) totals.set(currency, addDecimals(totals.get(currency) ?? zero, cost))
  }
  const mostUsed = used.toSorted(([, left], [, right]) => right.prompt + right.completion - left.prompt - left.completion)[0]
  return {
    model: mostUsed?.[0] ?? null,
    promptTokens: used.reduce((sum, [, { prompt }]) => sum + prompt, 0),
    completionTokens: used.reduce((sum, [, { completion }]) => sum + completion, 0),
    costs: [...totals].map(([currency, total]) => ({ currency, total: formatPlainDecimal(total) })),
  }
}

function subtract(own: ModelUsage | undefined, child: ModelUsage): void {
  if (!own) return
  own.prompt = Math.max(0, own.prompt - child.prompt)
  own.completion = Math.max(0, own.completion - child.completion)
  if (own.cost && child.cost) own.cost = subtractDecimals(own.cost, child.cost)
  if (own.cost && own.cost.digits < 0n) own.cost = zero
}

function readUsage({ summary }: ReceivedCall): Map<string, ModelUsage> {
  const parsed = z.safeParse(Summary, summary)
  if (!parsed.success) return new Map()
  const costs = parsed.data.weave?.costs ?? {}
  return new Map(
    Object.entries(parsed.data.usage ?? {}).map(([model, counts]): [string, ModelUsage] => {
      const usage = z.safeParse(Usage, counts).data
      const cost = z.safeParse(Cost, costs[model]).data
      return [
        model,
        {
          prompt: usage?.prompt_tokens ?? usage?.input_tokens ?? 0,
          completion: usage?.completion_tokens ?? usage?.output_tokens ?? 0,
          cost: cost && addUp(cost),
          currency: cost?.prompt_token_cost_unit ?? 'USD',
        },
      ]
    }),
  )
}

function addUp(cost: z.output<typeof Cost>): Decimal | undefined {
  const amounts = [
    cost.prompt_tokens_total_cost,
    cost.completion_tokens_total_cost,
    cost.cache_read_input_tokens_total_cost,
    cost.cache_creation_input_tokens_total_cost,
  ].filter((amount) => amount !== null)
  return amounts.length === 0 ? undefined : amounts.map(toDecimal).reduce(addDecimals, zero)
}
