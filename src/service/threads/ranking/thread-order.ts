import { compareText } from '../../../contract/compare-text'
import type { threadSortFields } from '../../../contract/threads'

/** A column to sort by, and how. */
export type ThreadOrder = { field: (typeof threadSortFields)[number]; direction: 'asc' | 'desc' }

/** The order of a list without `sort_by`. */
export const latestFirst = [{ field: 'last_updated', direction: 'desc' }] as const satisfies readonly ThreadOrder[]

/** As the engine prints it: times as text with six digits of a fraction, which sorts as the times do. */
export type RankedValue = string | number | null
export type RankedThread = { threadId: string; value: RankedValue }

/** The order of the list: by value, null last in both directions, then by thread id. */
export function compareRanked({ direction }: ThreadOrder): (left: RankedThread, right: RankedThread) => number {
  const sign = direction === 'asc' ? 1 : -1
  return (left, right) => {
    if (left.value !== right.value) {
      if (left.value === null) return 1
      if (right.value === null) return -1
      return sign * compareValues(left.value, right.value)
    }
    return compareText(left.threadId, right.threadId)
  }
}

function compareValues(left: string | number, right: string | number): number {
  return typeof left === 'number' && typeof right === 'number' ? left - right : compareText(String(left), String(right))
}
