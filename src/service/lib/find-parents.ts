import type { TimeSlices } from './time-slices'

type LinkedCall = { id: string; parent_id: string | null }

/** A call, linked to its parent. `walk` is the call from which it was reached first. A trace may have 100,000: no maps are asked. */
type Link<Call> = { call: Call; parent: Link<Call> | undefined; walk: Link<Call> | undefined }

/**
 * The parent of each call, where the trace has it. In a circle of calls that are parents of each other, those that `isTop`
 * names have none, and the others are below them; where it names none, no call of the circle has a parent.
 */
export async function findParents<Call extends LinkedCall>(
  trace: readonly Call[],
  slices: TimeSlices,
  isTop: (call: Call) => boolean = () => false,
): Promise<ReadonlyMap<string, Call>> {
  const linkById = new Map<string, Link<Call>>()
  for (const call of trace) linkById.set(call.id, { call, parent: undefined, walk: undefined })
  for (const link of linkById.values()) {
    if (slices.isOver) await slices.next()
    if (link.call.parent_id !== null) link.parent = linkById.get(link.call.parent_id)
  }
  for (const circle of await findCircles(linkById.values(), slices)) {
    const tops = circle.filter(({ call }) => isTop(call))
    for (const link of tops.length > 0 ? tops : circle) link.parent = undefined
  }
  const parentById = new Map<string, Call>()
  for (const { call, parent } of linkById.values()) {
    if (slices.isOver) await slices.next()
    if (parent) parentById.set(call.id, parent.call)
  }
  return parentById
}

/** The circles of calls that are parents of each other, each call before its parent. */
async function findCircles<Call>(links: Iterable<Link<Call>>, slices: TimeSlices): Promise<Link<Call>[][]> {
  const circles: Link<Call>[][] = []
  for (const start of links) {
    let link: Link<Call> | undefined = start
    while (link && !link.walk) {
      if (slices.isOver) await slices.next()
      link.walk = start
      link = link.parent
    }
    // A walk that comes back to one of its own calls has closed a circle.
    if (link?.walk !== start) continue
    const circle: Link<Call>[] = []
    for (let next: Link<Call> | undefined = link; next && (next !== link || circle.length === 0); next = next.parent)
      circle.push(next)
    circles.push(circle)
  }
  return circles
}
