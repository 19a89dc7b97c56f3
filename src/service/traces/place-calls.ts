import { findParents } from '../lib/find-parents'
import type { TimeSlices } from '../lib/time-slices'

/** A call of a trace, with what decides about its place in a conversation. */
export type PlaceableCall = {
  id: string
  parent_id: string | null
  thread_id: string | null
  turn_id: string | null
  user_id: string | null
  /** A span whose place in the trace decides whether it is a turn. */
  is_conversation: boolean
  started_at: string
}

/** The thread, the turn and the user that a call belongs to, and when its turn started. */
export type CallPlace = { threadId: string | null; turnId: string | null; userId: string | null; turnStartedAt: string }

/**
 * The place of each call of a trace. A call without a thread or user belongs to those of the nearest call above it that has
 * one. Its turn is the nearest turn of its thread at or above it; calls that no turn is above have none, and count from the
 * start of the topmost of them. `parentById` is what `findParents` says.
 */
export async function placeCalls(
  trace: readonly PlaceableCall[],
  slices: TimeSlices,
  parentById?: ReadonlyMap<string, PlaceableCall>,
): Promise<ReadonlyMap<string, CallPlace>> {
  parentById ??= await findParents(trace, slices)
  const placeById = new Map<string, CallPlace>()
  const unplaced: PlaceableCall[] = []
  for (const call of trace) {
    for (let each: PlaceableCall | undefined = call; each && !placeById.has(each.id); each = parentById.get(each.id))
      unplaced.push(each)
    for (let each = unplaced.pop(); each; each = unplaced.pop()) {
      if (slices.isOver) await slices.next()
      const parent = parentById.get(each.id)
      placeById.set(each.id, placeBelow(each, parent, parent && placeById.get(parent.id)))
    }
  }
  return placeById
}

function placeBelow(call: PlaceableCall, parent: PlaceableCall | undefined, above: CallPlace | undefined): CallPlace {
  const threadId = call.thread_id ?? above?.threadId ?? null
  const userId = call.user_id ?? above?.userId ?? null
  if (isTurn(call, parent)) return { threadId, turnId: call.id, userId, turnStartedAt: call.started_at }
  const turn = above?.threadId === threadId ? above : { turnId: null, turnStartedAt: call.started_at }
  return { threadId, turnId: turn.turnId, userId, turnStartedAt: turn.turnStartedAt }
}

/** As the tables of turns have it (derive-turns.ts, derive-conversation-turns.ts). */
function isTurn(call: PlaceableCall, parent: PlaceableCall | undefined): boolean {
  if (call.thread_id === null) return false
  if (!call.is_conversation) return call.turn_id === call.id
  return (call.turn_id === null || call.turn_id === call.id) && parent?.thread_id !== call.thread_id
}
