import type { TracedCall } from '../own-usage'
import type { DetailedUsage } from '../usage'

// The reference model of what calls spent themselves, in plain TypeScript: as the contract says it, without regard to speed.

/** The kinds of tokens that a usage is read back with. */
export const kinds = [
  'requests',
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
] as const
export type PlainUsage = Record<(typeof kinds)[number], number>

/** One model's share of what a call spent itself. */
export type ReferenceShare = { id: string; threadId: string | null; model: string; usage: PlainUsage }

export function referenceOwnUsage(trace: readonly TracedCall[]): ReferenceShare[] {
  const counting = trace.filter((call) => !call.is_span || !isRepeating(trace, call))
  return withoutRepeated(trace, counting).flatMap((call) =>
    [...call.usage].flatMap(([model, reported]): ReferenceShare[] => {
      const usage = call.is_span ? toPlainUsage((kind) => reported[kind]) : referenceRest(trace, call, model, reported)
      const isSpent = kinds.some((kind) => usage[kind] > 0)
      return isSpent ? [{ id: call.id, threadId: referenceThread(trace, call), model, usage }] : []
    }),
  )
}

/** The calls above a call, the nearest first. */
function findAbove(trace: readonly TracedCall[], call: TracedCall): TracedCall[] {
  const above: TracedCall[] = []
  let parent = findParent(trace, call)
  while (parent) {
    above.push(parent)
    parent = findParent(trace, parent)
  }
  return above
}

function findParent(trace: readonly TracedCall[], call: TracedCall): TracedCall | undefined {
  return isInCircle(trace, call) ? undefined : trace.find(({ id }) => id === call.parent_id)
}

/** Whether the parents of a call lead back to it. */
function isInCircle(trace: readonly TracedCall[], call: TracedCall): boolean {
  let id = call.parent_id
  for (let step = 0; step < trace.length; step += 1) {
    if (id === call.id) return true
    id = trace.find((other) => other.id === id)?.parent_id ?? null
  }
  return false
}

function referenceThread(trace: readonly TracedCall[], call: TracedCall): string | null {
  return [call, ...findAbove(trace, call)].find(({ thread_id: threadId }) => threadId !== null)?.thread_id ?? null
}

function countTokens(call: TracedCall): number {
  const usages = [...call.usage.values()]
  return usages.reduce((sum, usage) => sum + usage.prompt_tokens + usage.completion_tokens + usage.total_tokens, 0)
}

/** Whether any call below reports tokens. */
function isRepeating(trace: readonly TracedCall[], span: TracedCall): boolean {
  return trace.some((other) => countTokens(other) > 0 && findAbove(trace, other).includes(span))
}

/** Of the spans with one response id, those of the library whose report is the best. */
function withoutRepeated(trace: readonly TracedCall[], calls: readonly TracedCall[]): TracedCall[] {
  const reports = calls.filter((call) => call.is_span && call.response_id !== null && countTokens(call) > 0)
  const rank = (report: TracedCall) => {
    const ofLibrary = reports.filter((other) => other.response_id === report.response_id && other.library === report.library)
    const cached = ofLibrary
      .flatMap(({ usage }) => [...usage.values()])
      .reduce((sum, usage) => sum + usage.cache_read_input_tokens + usage.cache_creation_input_tokens, 0)
    return {
      isInThread: ofLibrary.some((other) => referenceThread(trace, other) !== null),
      cached,
      library: report.library ?? '',
    }
  }
  const isBetter = (left: ReturnType<typeof rank>, right: ReturnType<typeof rank>) =>
    left.isInThread === right.isInThread
      ? left.cached === right.cached
        ? left.library < right.library
        : left.cached > right.cached
      : left.isInThread
  return calls.filter(
    (call) =>
      !reports.includes(call) ||
      !reports.some((other) => other.response_id === call.response_id && isBetter(rank(other), rank(call))),
  )
}

function referenceRest(trace: readonly TracedCall[], call: TracedCall, model: string, reported: DetailedUsage): PlainUsage {
  const children = withoutRepeated(
    trace,
    trace.filter((other) => findParent(trace, other) === call),
  )
  const rest = toPlainUsage((kind) => {
    const below = children.reduce((sum, child) => sum + (child.usage.get(model)?.[kind] ?? 0), 0)
    return Math.max(0, reported[kind] - below)
  })
  // A part is never more than the whole.
  const read = Math.min(rest.cache_read_input_tokens, rest.prompt_tokens)
  return {
    ...rest,
    total_tokens: Math.max(rest.total_tokens, rest.prompt_tokens + rest.completion_tokens),
    cache_read_input_tokens: read,
    cache_creation_input_tokens: Math.min(rest.cache_creation_input_tokens, rest.prompt_tokens - read),
  }
}

function toPlainUsage(toCount: (kind: (typeof kinds)[number]) => number): PlainUsage {
  return Object.fromEntries(kinds.map((kind) => [kind, toCount(kind)])) as PlainUsage // one entry for each kind
}
