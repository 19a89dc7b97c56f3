import type { TreeCall } from '../../../contract/call-tree'

/** The calls of one name in one turn. `selfMs` is the time in which none of their children ran; null where one still runs. */
type Side = { count: number; selfMs: number | null }

export type ComparedCalls = {
  name: string
  left: Side
  right: Side
  /** How much longer the left one took; null where that is unknown. */
  differenceMs: number | null
}

/**
 * What took longer, by the name of the calls. The times of a tree add up to that of its top, so nothing counts twice, whatever
 * calls what. The largest difference comes first, unknown ones last.
 */
export function compareCalls(left: readonly TreeCall[], right: readonly TreeCall[]): ComparedCalls[] {
  const [ofLeft, ofRight] = [sumByName(left), sumByName(right)]
  return [...new Set([...ofLeft.keys(), ...ofRight.keys()])]
    .map((name): ComparedCalls => {
      const [one, other] = [ofLeft.get(name) ?? none, ofRight.get(name) ?? none]
      const differenceMs = one.selfMs === null || other.selfMs === null ? null : one.selfMs - other.selfMs
      return { name, left: one, right: other, differenceMs }
    })
    .toSorted((one, other) => toSize(other) - toSize(one))
}

const none: Side = { count: 0, selfMs: 0 }

function toSize({ differenceMs }: ComparedCalls): number {
  return differenceMs === null ? -1 : Math.abs(differenceMs)
}

function sumByName(calls: readonly TreeCall[]): Map<string, Side> {
  const sums = new Map<string, Side>()
  for (const { name, self_ms: selfMs } of calls) {
    const sum = sums.get(name) ?? none
    sums.set(name, {
      count: sum.count + 1,
      selfMs: sum.selfMs === null || selfMs === null ? null : sum.selfMs + selfMs,
    })
  }
  return sums
}
