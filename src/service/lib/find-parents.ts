import type { TimeSlices } from './time-slices'

/** The parent of each call, where the trace has it. Calls that are parents of each other in a circle have none. */
export async function findParents<Call extends { id: string; parent_id: string | null }>(
  trace: readonly Call[],
  slices: TimeSlices,
): Promise<ReadonlyMap<string, Call>> {
  const byId = new Map(trace.map((call) => [call.id, call]))
  const findParent = (call: Call) => (call.parent_id === null ? undefined : byId.get(call.parent_id))
  const walkById = new Map<string, string>()
  const inCircle = new Set<string>()
  for (const start of byId.keys()) {
    let call = byId.get(start)
    while (call && !walkById.has(call.id)) {
      if (slices.isOver) await slices.next()
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
