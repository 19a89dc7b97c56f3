import { hasTokens, type Usage } from '../pricing/usage'

/** A call of a trace, as far as counting what threads used needs it. '' where it has no parent or thread. */
export type TracedCall = {
  id: string
  parent_id: string
  thread_id: string
  isSpan: boolean
  usage: Map<string, Usage>
}

/**
 * Of one trace the spans whose usage counts, each with its thread. Instrumentations say a usage where it arises and some
 * say the sum again further up, so only spans without such a span below count. A span without a thread is of that of the
 * nearest above which has one.
 */
export function countedSpans<Call extends TracedCall>(trace: readonly Call[]): { call: Call; threadId: string }[] {
  const parentOf = parents(trace)
  const spans = trace.filter((call) => call.isSpan && isUsed(call))
  const hasUsageBelow = new Set<string>()
  for (const span of spans) {
    // What lies above one that is marked is marked already.
    for (let above = parentOf.get(span.id); above && !hasUsageBelow.has(above.id); above = parentOf.get(above.id)) {
      hasUsageBelow.add(above.id)
    }
  }
  const nearestWithThread = nearestAbove(parentOf, (call) => call.thread_id !== '')
  return spans.flatMap((call) => {
    if (hasUsageBelow.has(call.id)) return []
    const threadId = call.thread_id || nearestWithThread(call.id)?.thread_id
    return threadId ? [{ call, threadId }] : []
  })
}

/**
 * Of one trace the turns by Weave's clients whose usage counts. These add what calls below used into every call above, so
 * of two turns of one thread, one below the other, only the upper counts. `trace` has the calls between them.
 */
export function countedTurns<Call extends TracedCall>(turns: readonly Call[], trace: readonly TracedCall[]): Call[] {
  const used = turns.filter(isUsed)
  const threadByTurn = new Map(used.map((turn) => [turn.id, turn.thread_id]))
  const nearestTurn = nearestAbove(parents([...trace, ...turns]), ({ id }) => threadByTurn.has(id))
  return used.filter((turn) => {
    let above = nearestTurn(turn.id)
    while (above && threadByTurn.get(above.id) !== turn.thread_id) above = nearestTurn(above.id)
    return above === undefined
  })
}

function isUsed({ usage }: TracedCall): boolean {
  return [...usage.values()].some(hasTokens)
}

/** Each call's parent, where the trace has it. Of parents that name each other in a circle none is a parent. */
function parents<Call extends TracedCall>(trace: readonly Call[]): ReadonlyMap<string, Call> {
  const byId = new Map(trace.map((call) => [call.id, call]))
  const walkOf = new Map<string, string>()
  const inCircle = new Set<string>()
  for (const start of byId.keys()) {
    let call = byId.get(start)
    while (call && !walkOf.has(call.id)) {
      walkOf.set(call.id, start)
      call = byId.get(call.parent_id)
    }
    // Coming back to a call of the same walk closes a circle.
    while (call && walkOf.get(call.id) === start && !inCircle.has(call.id)) {
      inCircle.add(call.id)
      call = byId.get(call.parent_id)
    }
  }
  return new Map(
    [...byId.values()].flatMap(({ id, parent_id: parentId }) => {
      const parent = inCircle.has(id) ? undefined : byId.get(parentId)
      return parent ? [[id, parent] as const] : []
    }),
  )
}

/** Finds the nearest call above that is wanted. Remembers what it walks past, so that a deep trace is walked once. */
function nearestAbove<Call extends TracedCall>(parentOf: ReadonlyMap<string, Call>, isWanted: (call: Call) => boolean) {
  const known = new Map<string, Call | undefined>()
  return (id: string): Call | undefined => {
    const walked = [id]
    let above = parentOf.get(id)
    while (above && !isWanted(above) && !known.has(above.id)) {
      walked.push(above.id)
      above = parentOf.get(above.id)
    }
    const found = above && !isWanted(above) ? known.get(above.id) : above
    for (const each of walked) known.set(each, found)
    return found
  }
}
