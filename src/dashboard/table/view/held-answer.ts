import { useState } from 'react'
import type { TableData } from './table-data'

/**
 * Holds back what an automatic refresh brought, so that no row moves under the pointer: the rows stay as they are and
 * `newerCount` says how many of the new ones are new or different. Everything the person asked for is shown at once.
 */
export function useHeldAnswer<Row>(latest: TableData<Row>, viewKey: string, isHolding: boolean, idOf: (row: Row) => string) {
  const [held, setHeld] = useState({ viewKey, answer: latest, isFollowing: false })
  const isSameView = held.viewKey === viewKey
  const hasRefreshed = latest.updatedAt !== held.answer.updatedAt
  const canHold = isHolding && isSameView && held.answer.isComplete && latest.isComplete && !held.isFollowing
  const newerCount = canHold && hasRefreshed ? countNewer(latest.rows ?? [], held.answer.rows ?? [], idOf) : 0
  const isHeld = newerCount > 0
  if (
    !isHeld &&
    (!isSameView || held.answer.rows !== latest.rows || hasRefreshed || held.answer.isComplete !== latest.isComplete)
  ) {
    setHeld({ viewKey, answer: latest, isFollowing: held.isFollowing && isSameView && !hasRefreshed })
  }
  const answer = isHeld
    ? {
        ...latest,
        rows: held.answer.rows,
        hasMore: held.answer.hasMore,
        total: held.answer.total,
        updatedAt: held.answer.updatedAt,
      }
    : latest
  return {
    answer,
    newerCount,
    showNewer: () => setHeld({ viewKey, answer: latest, isFollowing: false }),
    /** The next answer is shown at once, because the person asked for it. */
    follow: () => setHeld({ ...held, answer: latest, isFollowing: true }),
  }
}

export function countNewer<Row>(latest: readonly Row[], shown: readonly Row[], idOf: (row: Row) => string): number {
  const before = new Map(shown.map((row) => [idOf(row), JSON.stringify(row)]))
  return latest.filter((row) => before.get(idOf(row)) !== JSON.stringify(row)).length
}
