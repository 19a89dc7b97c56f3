import { compareText } from '../../contract/compare-text'
import { findParents } from '../lib/find-parents'
import { TimeSlices } from '../lib/time-slices'
import { addUsage, type DetailedUsage, hasTokens, subtractUsage } from './usage'

type UsageByModel = ReadonlyMap<string, DetailedUsage>

/** A call of a trace, with the usage that it reported, by model. */
export type TracedCall = {
  id: string
  parent_id: string | null
  thread_id: string | null
  /** The user of the application that the call names. */
  user_id: string | null
  is_span: boolean
  /** The provider's id of the response that a span reports; null for other calls. */
  response_id: string | null
  /** The library that reported a span: the name of its instrumentation scope. */
  library: string | null
  usage: UsageByModel
}

/** What a call spent itself, by model, and the thread and the user that it belongs to. */
export type OwnUsage<Call extends TracedCall> = {
  call: Call
  threadId: string | null
  userId: string | null
  usage: UsageByModel
}

/**
 * What each call of a trace spent itself. This one rule is behind every sum of tokens and money, so that no token counts
 * twice. Calls that spent nothing are left out.
 *
 * - A call of W&B Weave's SDKs spent what it reported less what its direct children reported, calls and spans alike, per model
 *   and kind of token and never below zero: the SDKs add the usage of a call to every call above it. So a turn that still
 *   runs counts by its finished children, and a call that spent more than its children counts by the rest.
 * - A span spent what it reported, unless any call or span below it reports tokens, under whatever name of a model: then it
 *   spent nothing, because spans do not add up, but frameworks repeat sums in the spans above.
 * - Where spans of several libraries report the same response, which two instrumentations of one client do side by side, only
 *   those of one library count: of a library that knows a thread for it, then that reports the most cached tokens, then the
 *   first by name. Spans of one library count all: some servers give every response the same id. For the same reason spans
 *   are compared within their trace only: of two traces nothing else says that they report one request, and a call that
 *   another trace hides would be missing in every sum.
 * - A call or span without a thread belongs to the thread of the nearest one above it that has a thread; the same for users.
 * - The parent of a call is the call with that id in the same trace. Calls that are parents of each other in a circle have no
 *   parent, nor has a call whose parent has not arrived.
 *
 * The result depends on the calls alone, not on their order. Every id occurs once in `trace`: calls are merged from their parts
 * before. A trace may have hundreds of thousands of calls, so the work is done in slices. `parentById` is what `findParents` says.
 *
 * How this relates to `include_costs`, which prices what a call reported, as W&B Weave does: where every call with children
 * reports the exact sum of its own usage and of what they reported, the usages that the calls below (and including) a call
 * spent themselves add up to what it reported. Their costs add up to its `costs` if all have the same price, without steps
 * for long prompts. The cost of a call that has no children is the same in both.
 */
export async function findOwnUsage<Call extends TracedCall>(
  trace: readonly Call[],
  slices: TimeSlices = new TimeSlices(),
  parentById?: ReadonlyMap<string, Call>,
): Promise<OwnUsage<Call>[]> {
  parentById ??= await findParents(trace, slices)
  const used = trace.filter(({ usage }) => usage.size > 0)
  const findWithThread = nearestAbove(parentById, (call) => call.thread_id !== null)
  const findWithUser = nearestAbove(parentById, (call) => call.user_id !== null)
  const findThreadId = (call: Call) => call.thread_id ?? findWithThread(call.id)?.thread_id ?? null
  const childrenUsageById = await sumChildren(used, parentById, findThreadId, slices)
  const isRepeating = await findSpansAboveUsage(used, parentById, slices)
  const counting = await withoutRepeatedResponses(
    used.filter(({ id }) => !isRepeating.has(id)),
    findThreadId,
    slices,
  )
  const found: OwnUsage<Call>[] = []
  for (const call of counting) {
    if (slices.isOver) await slices.next()
    const usage = subtractByModel(call.usage, childrenUsageById.get(call.id))
    if (usage.size === 0) continue
    const userId = call.user_id ?? findWithUser(call.id)?.user_id ?? null
    found.push({ call, threadId: findThreadId(call), userId, usage })
  }
  return found
}

type FindThreadId<Call extends TracedCall> = (call: Call) => string | null

/** These calls without the spans that report a response which spans of another library report better. */
async function withoutRepeatedResponses<Call extends TracedCall>(
  calls: readonly Call[],
  findThreadId: FindThreadId<Call>,
  slices: TimeSlices,
): Promise<readonly Call[]> {
  if (calls.length < 2) return calls
  const spansByLibraryByResponse = new Map<string, Map<string, Call[]>>()
  for (const call of calls) {
    if (slices.isOver) await slices.next()
    if (!call.is_span || call.response_id === null || !reportsTokens(call)) continue
    const spansByLibrary = getOrAdd(spansByLibraryByResponse, call.response_id, () => new Map<string, Call[]>())
    getOrAdd(spansByLibrary, call.library ?? '', () => []).push(call)
  }
  const repeated = new Set<Call>()
  for (const spansByLibrary of spansByLibraryByResponse.values()) {
    if (spansByLibrary.size < 2) continue
    if (slices.isOver) await slices.next()
    const rank = ([library, spans]: [string, Call[]]) => ({
      library,
      spans,
      isInThread: spans.some((span) => findThreadId(span) !== null),
      cachedTokens: spans.reduce((sum, span) => sum + countCachedTokens(span), 0),
    })
    const [, ...others] = [...spansByLibrary]
      .map(rank)
      .toSorted(
        (left, right) =>
          Number(right.isInThread) - Number(left.isInThread) ||
          right.cachedTokens - left.cachedTokens ||
          compareText(left.library, right.library),
      )
    for (const { spans } of others) for (const span of spans) repeated.add(span)
  }
  return repeated.size === 0 ? calls : calls.filter((call) => !repeated.has(call))
}

function getOrAdd<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const value = create()
  map.set(key, value)
  return value
}

function reportsTokens({ usage }: TracedCall): boolean {
  for (const each of usage.values()) if (hasTokens(each)) return true
  return false
}

function countCachedTokens({ usage }: TracedCall): number {
  let sum = 0
  for (const each of usage.values()) sum += each.cache_read_input_tokens + each.cache_creation_input_tokens
  return sum
}

/** What the direct children of each call reported. Only calls that are no spans add it up. */
async function sumChildren<Call extends TracedCall>(
  used: readonly Call[],
  parentById: ReadonlyMap<string, Call>,
  findThreadId: FindThreadId<Call>,
  slices: TimeSlices,
): Promise<ReadonlyMap<string, UsageByModel>> {
  const childrenById = new Map<string, Call[]>()
  for (const call of used) {
    if (slices.isOver) await slices.next()
    const parent = parentById.get(call.id)
    if (parent && !parent.is_span) getOrAdd(childrenById, parent.id, () => []).push(call)
  }
  const sumById = new Map<string, UsageByModel>()
  for (const [id, children] of childrenById) {
    const sumByModel = new Map<string, DetailedUsage>()
    for (const child of await withoutRepeatedResponses(children, findThreadId, slices)) {
      if (slices.isOver) await slices.next()
      for (const [model, usage] of child.usage) {
        const sum = sumByModel.get(model)
        sumByModel.set(model, sum ? addUsage(sum, usage) : usage)
      }
    }
    sumById.set(id, sumByModel)
  }
  return sumById
}

/** The spans that have calls or spans with tokens below them. */
async function findSpansAboveUsage<Call extends TracedCall>(
  used: readonly Call[],
  parentById: ReadonlyMap<string, Call>,
  slices: TimeSlices,
): Promise<ReadonlySet<string>> {
  const above = new Set<string>()
  const spans = new Set<string>()
  for (const call of used) {
    if (slices.isOver) await slices.next()
    if (!reportsTokens(call)) continue
    // The calls above a call in the set are in the set already.
    for (let next = parentById.get(call.id); next && !above.has(next.id); next = parentById.get(next.id)) {
      above.add(next.id)
      if (next.is_span) spans.add(next.id)
    }
  }
  return spans
}

function subtractByModel(reported: UsageByModel, children: UsageByModel | undefined): UsageByModel {
  const own = new Map<string, DetailedUsage>()
  for (const [model, usage] of reported) {
    const below = children?.get(model)
    const rest = below ? subtractUsage(usage, below) : usage
    if (hasTokens(rest) || rest.requests > 0) own.set(model, rest)
  }
  return own
}

/** Finds the nearest matching call above a call. Remembers the calls on its way, so a deep trace is walked once. */
function nearestAbove<Call extends TracedCall>(parentById: ReadonlyMap<string, Call>, matches: (call: Call) => boolean) {
  const foundById = new Map<string, Call | undefined>()
  return (id: string): Call | undefined => {
    const walked = [id]
    let above = parentById.get(id)
    while (above && !matches(above) && !foundById.has(above.id)) {
      walked.push(above.id)
      above = parentById.get(above.id)
    }
    const found = above && !matches(above) ? foundById.get(above.id) : above
    for (const each of walked) foundById.set(each, found)
    return found
  }
}
