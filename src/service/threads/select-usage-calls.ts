import { TimeSlices } from '../lib/time-slices'
import { hasTokens, type Usage } from '../pricing/usage'

// Which calls of a trace are summed up, so that no token is counted twice: clients report a usage again further up. A trace
// may have hundreds of thousands of calls, so the work is done in slices.

/** A call of a trace with its usage by model. */
export type TracedCall = {
  id: string
  parent_id: string | null
  thread_id: string | null
  is_span: boolean
  usage: Map<string, Usage>
}

/**
 * The spans of a trace whose usage counts, each with its thread. Some instrumentations report the sum again in the spans
 * above, so a span counts only if no span below it has a usage. A span without a thread belongs to the thread of the
 * nearest call above that has one.
 */
export async function selectUsageSpans<Call extends TracedCall>(
  trace: readonly Call[],
): Promise<{ call: Call; threadId: string }[]> {
  const slices = new TimeSlices()
  const parentById = await findParents(trace, slices)
  const spans = trace.filter((call) => call.is_span && hasUsage(call))
  const hasUsageBelow = new Set<string>()
  for (const span of spans) {
    // The calls above a call in the set are in the set already.
    if (slices.isOver) await slices.next()
    for (let above = parentById.get(span.id); above && !hasUsageBelow.has(above.id); above = parentById.get(above.id)) {
      hasUsageBelow.add(above.id)
    }
  }
  const findWithThread = nearestAbove(parentById, (call) => call.thread_id !== null)
  const selected: { call: Call; threadId: string }[] = []
  for (const call of spans) {
    if (slices.isOver) await slices.next()
    if (hasUsageBelow.has(call.id)) continue
    const threadId = call.thread_id ?? findWithThread(call.id)?.thread_id
    if (threadId) selected.push({ call, threadId })
  }
  return selected
}

/**
 * The turns of W&B Weave's clients whose usage counts, for the turns of one trace. These clients add the usage of a call to
 * every call above, so a turn below another turn of its thread does not count. `trace` has the calls between the turns.
 */
export async function selectUsageTurns<Call extends TracedCall>(
  turns: readonly Call[],
  trace: readonly TracedCall[],
): Promise<Call[]> {
  const slices = new TimeSlices()
  const used = turns.filter(hasUsage)
  const threadByTurn = new Map(used.map((turn) => [turn.id, turn.thread_id]))
  const findTurn = nearestAbove(await findParents([...trace, ...turns], slices), ({ id }) => threadByTurn.has(id))
  const selected: Call[] = []
  for (const turn of used) {
    if (slices.isOver) await slices.next()
    let above = findTurn(turn.id)
    while (above && threadByTurn.get(above.id) !== turn.thread_id) above = findTurn(above.id)
    if (above === undefined) selected.push(turn)
  }
  return selected
}

function hasUsage({ usage }: TracedCall): boolean {
  return [...usage.values()].some(hasTokens)
}

/** The parent of each call, where the trace has it. Calls that are parents of each other in a circle have none. */
async function findParents<Call extends TracedCall>(
  trace: readonly Call[],
  slices: TimeSlices,
): Promise<ReadonlyMap<string, Call>> {
  const byId = new Map(trace.map((call) => [call.id, call]))
  const findParent = (call: Call) => (call.parent_id === null ? undefined : byId.get(call.parent_id))
  const walkById = new Map<string, string>()
  const inCircle = new Set<string>()
  for (const start of byId.keys()) {
    if (slices.isOver) await slices.next()
    let call = byId.get(start)
    while (call && !walkById.has(call.id)) {
      walkById.set(call.id, start)
      call = findParent(call)
    }
    // A walk that comes back to one of its own calls has closed a circle.
    while (call && walkById.get(call.id) === start && !inCircle.has(call.id)) {
      inCircle.add(call.id)
      call = findParent(call)
    }
  }
  const parentById = new Map<string, Call>()
  for (const call of byId.values()) {
    if (slices.isOver) await slices.next()
    const parent = inCircle.has(call.id) ? undefined : findParent(call)
    if (parent) parentById.set(call.id, parent)
  }
  return parentById
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
