import type { CallNode } from './call-tree'

/** The calls whose name contains the text, in any case. '' finds none. */
export function findByName(nodes: readonly CallNode[], text: string): CallNode[] {
  const pattern = toPattern(text)
  return pattern ? nodes.filter(({ call }) => pattern.test(call.name)) : []
}

/** The first of them from a position on; at the end it goes on at the start. */
export function findFirst(nodes: readonly CallNode[], text: string, from: number): CallNode | undefined {
  const pattern = toPattern(text)
  if (!pattern) return undefined
  for (let step = 0; step < nodes.length; step += 1) {
    const node = nodes[(from + step) % nodes.length]
    if (node && pattern.test(node.call.name)) return node
  }
  return undefined
}

/** A pattern needs no copy of each of 100,000 names in small letters. */
function toPattern(text: string): RegExp | undefined {
  const wanted = text.trim()
  return wanted === '' ? undefined : new RegExp(wanted.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), 'iu')
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
