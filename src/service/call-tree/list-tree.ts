import type * as z from 'zod/mini'
import type { queryCallTree, TreeCall } from '../../contract/call-tree'
import { addDecimals, type Decimal, formatPlainDecimal, zero } from '../../contract/decimal'
import { TimeSlices } from '../lib/time-slices'
import { calculateAmounts, listAmounts } from '../pricing/cost-of-usage'
import { PriceBook } from '../pricing/price-book'
import type { QueryOptions, Store } from '../store/store'
import { findOwnUsage } from '../usage/own-usage'
import type { DetailedUsage } from '../usage/usage'
import { arrangeCalls, type TreeNode } from './arrange-calls'
import { toCallKind } from './call-kind'
import { findTraceId, readTrace, type TraceCall } from './read-trace'

type UsageByModel = ReadonlyMap<string, DetailedUsage>

const callsPerPart = 1000

/**
 * The calls of a trace, or a call with all below it, each parent before its children. After those of a turn come the calls
 * that name it as theirs and whose way up to it is broken. Unknown ids give no calls.
 */
export async function* listTree(
  store: Store,
  { project_id: projectId, trace_id, call_id: topId, depth = Infinity, limit = Infinity }: z.output<typeof queryCallTree.request>,
  reader: QueryOptions,
): AsyncGenerator<TreeCall[]> {
  const traceId = topId === undefined ? trace_id : await findTraceId(store, projectId, topId, reader)
  if (traceId === undefined) return
  const slices = new TimeSlices()
  const trace = await readTrace(store, projectId, traceId, { ...reader, lane: 'scan' })
  const nodes = await arrangeCalls(trace, slices, topId)
  // What a call spent itself depends on calls beside it too, so the whole trace is looked at.
  const usageById = new Map(
    (await findOwnUsage(trace, slices)).map(({ call, usage }): [string, UsageByModel] => [call.id, usage]),
  )
  const prices = new PriceBook(store, projectId)
  let part: { node: Node; usage: UsageByModel }[] = []
  const toTreeCalls = async () => {
    // One statement for the models of many calls.
    await prices.load(
      part.flatMap(({ usage }) => [...usage.keys()]),
      reader,
    )
    const calls: TreeCall[] = []
    for (const { node, usage } of part) {
      if (slices.isOver) await slices.next()
      calls.push(toTreeCall(node, usage, prices))
    }
    part = []
    return calls
  }
  for (const node of takeTree(nodes, { topId, depth, limit })) {
    if (slices.isOver) await slices.next()
    part.push({ node, usage: usageById.get(node.call.id) ?? noUsage })
    if (part.length >= callsPerPart) yield await toTreeCalls()
  }
  if (part.length > 0) yield await toTreeCalls()
}

const noUsage: UsageByModel = new Map()

type Node = TreeNode<TraceCall>
type Range = { topId: string | undefined; depth: number; limit: number }

/** The nodes that were asked for, in the order of the walk: a call's descendants follow it at once. */
function* takeTree(nodes: ReadonlyMap<string, Node>, { topId, depth, limit }: Range): Generator<Node> {
  let count = 0
  for (const top of listTops(nodes, topId)) {
    const stack = [top]
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { node, level } = next
      if (level > depth) continue
      if (count >= limit) return
      count += 1
      yield node
      for (const id of node.childIds.toReversed()) {
        const child = nodes.get(id)
        if (child) stack.push({ node: child, level: level + 1 })
      }
    }
  }
}

function listTops(nodes: ReadonlyMap<string, Node>, topId: string | undefined): { node: Node; level: number }[] {
  const roots = [...nodes.values()].filter(({ parentId }) => parentId === null)
  if (topId === undefined) return roots.map((node) => ({ node, level: 0 }))
  const top = nodes.get(topId)
  if (!top) return []
  const ofTurn = roots.filter(({ call }) => call.turn_id === topId && call.id !== topId)
  return [{ node: top, level: 0 }, ...ofTurn.map((node) => ({ node, level: 1 }))]
}

function toTreeCall(
  { call, parentId, childIds, selfUs, isAboveFailure, cutBy }: Node,
  usage: UsageByModel,
  prices: PriceBook,
): TreeCall {
  const models = [...usage].toSorted(([, left], [, right]) => right.total_tokens - left.total_tokens)
  const totals = new Map<string, Decimal>()
  let [prompt, completion] = [0, 0]
  for (const [model, tokens] of usage) {
    prompt += tokens.prompt_tokens
    completion += tokens.completion_tokens
    const price = prices.findPrice(model, call.started_at, call.provider ?? undefined)
    if (!price) continue
    for (const { currency, amount } of listAmounts(calculateAmounts(tokens, price), price)) {
      totals.set(currency, addDecimals(totals.get(currency) ?? zero, amount))
    }
  }
  const ownStatus = call.hasFailed ? 'error' : call.ended_at === null ? 'running' : 'success'
  return {
    id: call.id,
    parent_id: parentId,
    op_name: call.op_name,
    name: call.name,
    kind: toCallKind(call.kinds) ?? (usage.size > 0 ? 'llm' : null),
    started_at: call.started_at,
    ended_at: call.ended_at,
    status: ownStatus === 'success' && isAboveFailure ? 'descendant_error' : ownStatus,
    self_ms: selfUs === null ? null : selfUs / 1000,
    model: models[0]?.[0] ?? null,
    prompt_tokens: prompt,
    completion_tokens: completion,
    costs: [...totals].map(([currency, total]) => ({ currency, total: formatPlainDecimal(total) })),
    child_count: childIds.length,
    ...(cutBy && { cut_by: cutBy }),
  }
}
