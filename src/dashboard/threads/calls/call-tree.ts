import type { TreeCall } from '../../../contract/call-tree'
import { toMicroseconds } from './to-microseconds'

export type CallNode = {
  readonly call: TreeCall
  /** Its position in the walk through the tree: a call, then all below it, then the next call beside it. */
  readonly index: number
  /** Undefined at the top. */
  readonly parent: CallNode | undefined
  readonly children: CallNode[]
  /** 0 at the top. */
  readonly level: number
  readonly startUs: number
  /** Null while it runs. Never before the start. */
  readonly endUs: number | null
  /** Microseconds by which it starts before the call above it: the clocks of two machines differ. */
  readonly earlyUs: number
}

/**
 * The calls of a turn. They are added in the order of a walk, each parent before its children, and keep their positions, so that
 * what is on screen stays while more arrives.
 */
export class CallTree {
  readonly nodes: CallNode[] = []
  /** The time from the first start to the last end. */
  firstUs = Infinity
  lastUs = -Infinity
  maxLevel = 0
  earlyCount = 0
  /** Calls at the top because their parents form a circle, and because the call that they name is not there. */
  readonly cutCounts = { circle: 0, missing: 0 }
  /** Whether the tree was made here from a list of calls, because the service has no trees. */
  isMadeHere = false
  private readonly nodeById = new Map<string, CallNode>()
  /** From the top to the call that was added last. */
  private path: CallNode[] = []
  /** Where the calls below a call end, for those after which another came. */
  private readonly ends = new Map<CallNode, number>()

  get size(): number {
    return this.nodes.length
  }

  add(calls: readonly TreeCall[]): void {
    for (const call of calls) if (!this.nodeById.has(call.id)) this.append(call)
  }

  find(id: string): CallNode | undefined {
    return this.nodeById.get(id)
  }

  /** The position after the last call below this one. */
  endOf(node: CallNode): number {
    return this.ends.get(node) ?? (node.children.length > 0 ? this.size : node.index + 1)
  }

  private append(call: TreeCall): void {
    const parent = this.takeParent(call.parent_id)
    const startUs = toMicroseconds(call.started_at)
    const endUs = call.ended_at === null ? null : Math.max(startUs, toMicroseconds(call.ended_at))
    const node: CallNode = {
      call,
      index: this.size,
      parent,
      children: [],
      level: parent ? parent.level + 1 : 0,
      startUs,
      endUs,
      earlyUs: parent ? Math.max(0, parent.startUs - startUs) : 0,
    }
    parent?.children.push(node)
    this.path.push(node)
    this.nodes.push(node)
    this.nodeById.set(call.id, node)
    this.firstUs = Math.min(this.firstUs, startUs)
    this.lastUs = Math.max(this.lastUs, endUs ?? startUs)
    this.maxLevel = Math.max(this.maxLevel, node.level)
    if (node.earlyUs > 0) this.earlyCount += 1
    // What calls a turn is often not sent here at all.
    if (call.cut_by === 'circle' || (call.cut_by && node.index > 0)) this.cutCounts[call.cut_by] += 1
  }

  /** Shortens the path to the parent. A call whose parent is not on it stands at the top. */
  private takeParent(parentId: string | null): CallNode | undefined {
    const known = parentId === null ? undefined : this.nodeById.get(parentId)
    const parent = known && this.path[known.level] === known ? known : undefined
    for (let last = this.path.at(-1); last && last !== parent; last = this.path.at(-1)) {
      if (last.children.length > 0) this.ends.set(last, this.size)
      this.path.pop()
    }
    return parent
  }
}

/** The calls that are on screen: all but those below a collapsed one. */
export function listVisibleNodes(tree: CallTree, collapsedIds: ReadonlySet<string>): CallNode[] {
  if (collapsedIds.size === 0) return tree.nodes.slice()
  const visible: CallNode[] = []
  for (let index = 0; index < tree.size;) {
    const node = tree.nodes[index]
    if (!node) break
    visible.push(node)
    index = collapsedIds.has(node.call.id) ? tree.endOf(node) : index + 1
  }
  return visible
}

/** The position of a call among the visible ones; that of the nearest visible call above it where it is below a collapsed one. */
export function findRow(visible: readonly CallNode[], node: CallNode): number {
  let [low, high] = [0, visible.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((visible[middle]?.index ?? 0) <= node.index) low = middle
    else high = middle - 1
  }
  return low
}

/** The calls above a call, the topmost first. */
export function listAncestors(node: CallNode): CallNode[] {
  const ancestors: CallNode[] = []
  for (let above = node.parent; above; above = above.parent) ancestors.push(above)
  return ancestors.toReversed()
}
