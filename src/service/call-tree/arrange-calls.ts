import { compareText } from '../../contract/compare-text'
import { findParents } from '../lib/find-parents'
import { sortInSlices } from '../lib/sort-in-slices'
import { TimeSlices } from '../lib/time-slices'

/** A call as far as its place in the tree and its times go. Times are in microseconds since 1970. */
export type PlacedCall = {
  id: string
  parent_id: string | null
  startUs: number
  /** Null while it runs. */
  endUs: number | null
  hasFailed: boolean
}

export type TreeNode<Call extends PlacedCall> = {
  call: Call
  parentId: string | null
  /** In the order in which they started. */
  childIds: readonly string[]
  /** Microseconds of the call's duration in which no direct child was running; null while it runs. */
  selfUs: number | null
  isAboveFailure: boolean
  /** Why it is at the top although it names a parent: that is not in the trace, or below it. */
  cutBy: 'missing' | 'circle' | null
}

/**
 * The calls of a trace, each once, as trees, in the order of a walk: each parent before its children, siblings by start and
 * id. Calls whose parent is missing, and calls that are parents of each other in a circle, are at the top. In a circle with
 * `topId` only that call is, and the others are below it.
 */
export async function arrangeCalls<Call extends PlacedCall>(
  calls: readonly Call[],
  slices: TimeSlices = new TimeSlices(),
  topId?: string,
): Promise<Map<string, TreeNode<Call>>> {
  const parentById = await findParents(calls, slices, ({ id }) => id === topId)
  const ids = new Set(calls.map(({ id }) => id))
  const byStart = (left: Call, right: Call) => left.startUs - right.startUs || compareText(left.id, right.id)
  const inOrder = await sortInSlices(calls, byStart, slices)
  const childrenById = new Map<string, Call[]>()
  const tops: Call[] = []
  for (const call of inOrder) {
    if (slices.isOver) await slices.next()
    const parent = parentById.get(call.id)
    const siblings = parent ? childrenById.get(parent.id) : tops
    if (siblings) siblings.push(call)
    else if (parent) childrenById.set(parent.id, [call])
  }
  const nodes = new Map<string, TreeNode<Call>>()
  const stack: { call: Call; parentId: string | null }[] = tops.toReversed().map((call) => ({ call, parentId: null }))
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (slices.isOver) await slices.next()
    const { call, parentId } = next
    const children = childrenById.get(call.id) ?? []
    nodes.set(call.id, {
      call,
      parentId,
      childIds: children.map(({ id }) => id),
      selfUs: findSelfTime(call, children),
      isAboveFailure: false,
      cutBy: parentId !== null || call.parent_id === null ? null : ids.has(call.parent_id) ? 'circle' : 'missing',
    })
    for (const child of children.toReversed()) stack.push({ call: child, parentId: call.id })
  }
  await markFailures(nodes, slices)
  return nodes
}

/**
 * The duration of a call without the time in which any of its children ran. Children may overlap, and with clocks that differ
 * they may begin before their parent or end after it: only what lies within the parent counts.
 */
function findSelfTime({ startUs, endUs }: PlacedCall, childrenByStart: readonly PlacedCall[]): number | null {
  if (endUs === null) return null
  let self = Math.max(0, endUs - startUs)
  let coveredUntil = startUs
  for (const child of childrenByStart) {
    // A child that still runs has run at least until its parent ended.
    const end = Math.min(child.endUs ?? endUs, endUs)
    const start = Math.max(child.startUs, coveredUntil)
    if (end <= start) continue
    self -= end - start
    coveredUntil = end
  }
  return self
}

async function markFailures(nodes: ReadonlyMap<string, TreeNode<PlacedCall>>, slices: TimeSlices): Promise<void> {
  for (const { call, parentId } of nodes.values()) {
    if (!call.hasFailed) continue
    if (slices.isOver) await slices.next()
    // The calls above a marked one are marked already.
    for (let above = nodes.get(parentId ?? ''); above && !above.isAboveFailure; above = nodes.get(above.parentId ?? '')) {
      above.isAboveFailure = true
    }
  }
}
