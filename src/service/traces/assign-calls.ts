import { findParents } from '../lib/find-parents'
import type { TimeSlices } from '../lib/time-slices'

/** A call of a trace, as far as it decides which turn it belongs to. */
export type AssignableCall = {
  id: string
  parent_id: string | null
  /** What its client says. */
  turn_id: string | null
  /** Whether it is one of the turns that calls are assigned to. */
  is_turn: boolean
  has_failed: boolean
}

export type Assignment = {
  turnIdByCall: ReadonlyMap<string, string>
  /** The calls with a failed one anywhere below them. */
  aboveFailure: ReadonlySet<string>
}

/**
 * Which turn each call of a trace belongs to: itself if it is one, else the nearest turn above it, also in a circle of calls
 * that are parents of each other. Where there is none, because the calls between have not arrived, the turn that its client
 * names. A call below no turn has none.
 */
export async function assignCalls(trace: readonly AssignableCall[], slices: TimeSlices): Promise<Assignment> {
  const parentById = await findParents(trace, slices, (call) => call.is_turn)
  const turnIds = new Set(trace.flatMap(({ id, is_turn: isTurn }) => (isTurn ? id : [])))
  const turnIdByCall = new Map<string, string | undefined>()
  const aboveFailure = new Set<string>()
  for (const call of trace) {
    if (slices.isOver) await slices.next()
    const walked: AssignableCall[] = []
    let above: AssignableCall | undefined = call
    for (; above && !turnIdByCall.has(above.id); above = parentById.get(above.id)) walked.push(above)
    let turnId = above && turnIdByCall.get(above.id)
    for (const each of walked.toReversed()) {
      if (each.is_turn) turnId = each.id
      else if (turnId === undefined && each.turn_id !== null && turnIds.has(each.turn_id)) turnId = each.turn_id
      turnIdByCall.set(each.id, turnId)
    }
    if (!call.has_failed) continue
    // The calls above a marked one are marked already.
    for (let next = parentById.get(call.id); next && !aboveFailure.has(next.id); next = parentById.get(next.id)) {
      aboveFailure.add(next.id)
    }
  }
  const assigned = [...turnIdByCall].filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { turnIdByCall: new Map(assigned), aboveFailure }
}
