import type { CallNode } from './call-tree'

/** The calls whose name contains the text, in any case. '' finds none. */
export function findByName(nodes: readonly CallNode[], text: string): CallNode[] {
  const wanted = text.trim().toLowerCase()
  return wanted === '' ? [] : nodes.filter(({ call }) => call.name.toLowerCase().includes(wanted))
}

/** The call that comes after `from` in the walk, or before it; at the end it goes on at the other end. */
export function findNext(found: readonly CallNode[], from: number, step: 1 | -1): CallNode | undefined {
  return step > 0
    ? (found.find(({ index }) => index > from) ?? found[0])
    : (found.findLast(({ index }) => index < from) ?? found.at(-1))
}

/** The calls that failed themselves. */
export function findFailed(nodes: readonly CallNode[]): CallNode[] {
  return nodes.filter(({ call }) => call.status === 'error')
}

/** The call with the most self time; of several the first. Undefined where no call has ended. */
export function findSlowest(nodes: readonly CallNode[]): CallNode | undefined {
  let slowest: CallNode | undefined
  for (const node of nodes) {
    if (node.call.self_ms !== null && (slowest === undefined || node.call.self_ms > (slowest.call.self_ms ?? 0))) slowest = node
  }
  return slowest
}
