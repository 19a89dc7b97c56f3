import type { TimeSlices } from './time-slices'

type LinkedCall = { id: string; parent_id: string | null }

/**
 * The parent of each call, where the trace has it. In a circle of calls that are parents of each other, those that `isTop`
 * names have none, and the others are below them; where it names none, no call of the circle has a parent.
 */
export async function findParents<Call extends LinkedCall>(
  trace: readonly Call[],
  slices: TimeSlices,
  isTop: (call: Call) => boolean = () => false,
): Promise<ReadonlyMap<string, Call>> {
  const byId = new Map(trace.map((call) => [call.id, call]))
  const findParent = (call: Call) => (call.parent_id === null ? undefined : byId.get(call.parent_id))
  const tops = new Set<string>()
  for (const circle of await findCircles(trace, slices)) {
    const named = circle.filter(isTop)
    for (const { id } of named.length > 0 ? named : circle) tops.add(id)
  }
  const parentById = new Map<string, Call>()
  for (const call of byId.values()) {
    if (slices.isOver) await slices.next()
    const parent = tops.has(call.id) ? undefined : findParent(call)
    if (parent) parentById.set(call.id, parent)
  }
  return parentById
}

/** The circles of calls that are parents of each other, each call before its parent. */
async function findCircles<Call extends LinkedCall>(trace: readonly Call[], slices: TimeSlices): Promise<Call[][]> {
  const byId = new Map(trace.map((call) => [call.id, call]))
  const findParent = (call: Call) => (call.parent_id === null ? undefined : byId.get(call.parent_id))
  const walkById = new Map<string, string>()
  const circles: Call[][] = []
  for (const start of byId.keys()) {
    let call = byId.get(start)
    while (call && !walkById.has(call.id)) {
      if (slices.isOver) await slices.next()
      walkById.set(call.id, start)
      call = findParent(call)
    }
    // A walk that comes back to one of its own calls has closed a circle.
    if (!call || walkById.get(call.id) !== start) continue
    const circle: Call[] = []
    for (let next: Call | undefined = call; next && (next !== call || circle.length === 0); next = findParent(next)) {
      circle.push(next)
    }
    circles.push(circle)
  }
  return circles
}
