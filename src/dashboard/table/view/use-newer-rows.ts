import { useState } from 'react'
import type { TableData } from './table-data'

/**
 * Holds back what an automatic refresh read, so that no row moves under the pointer: the table keeps its rows, and
 * `newerCount` counts the rows that are new or different. What the person asked for is shown at once.
 */
export function useNewerRows<Row>(
  latest: TableData<Row>,
  viewKey: string,
  isHolding: boolean,
  { getRowId, updatesInPlace = false }: { getRowId: (row: Row) => string; updatesInPlace?: boolean },
) {
  // A page that opens with rows from before reads them again, and shows what comes.
  const [shown, setShown] = useState({ viewKey, data: latest, showsNext: latest.isFetching })
  const isSameView = shown.viewKey === viewKey
  const hasRefreshed = latest.updatedAt !== shown.data.updatedAt
  const [newRows, shownRows] = [latest.rows ?? [], shown.data.rows ?? []]
  const isComplete = shown.data.isComplete && latest.isComplete
  const isAsked = !isSameView || shown.data.isPlaceholder || shown.showsNext
  // Where no row is shown, none can move.
  const canHold = isHolding && !isAsked && isComplete && shownRows.length > 0
  const isShownAtOnce = updatesInPlace && hasSameOrder(newRows, shownRows, getRowId)
  // Rows that only went away move the others too.
  const minCount = updatesInPlace ? 1 : 0
  const newerCount = canHold && hasRefreshed && !isShownAtOnce ? Math.max(minCount, countNewer(newRows, shownRows, getRowId)) : 0
  const isHeld = newerCount > 0
  if (
    !isHeld &&
    (!isSameView || shown.data.rows !== latest.rows || hasRefreshed || shown.data.isComplete !== latest.isComplete)
  ) {
    setShown({ viewKey, data: latest, showsNext: shown.showsNext && isSameView && !hasRefreshed })
  }
  const { rows, hasMore, total, updatedAt } = shown.data
  return {
    data: isHeld ? { ...latest, rows, hasMore, total, updatedAt } : latest,
    newerCount,
    showNewer: () => setShown({ viewKey, data: latest, showsNext: false }),
    /** Show the next response at once, because the person asked for it. */
    showNext: () => setShown({ ...shown, data: latest, showsNext: true }),
  }
}

export function countNewer<Row>(latest: readonly Row[], shown: readonly Row[], getRowId: (row: Row) => string): number {
  const before = new Map(shown.map((row) => [getRowId(row), JSON.stringify(row)]))
  return latest.filter((row) => before.get(getRowId(row)) !== JSON.stringify(row)).length
}

/** Whether every row is where it was, so that showing the new ones moves nothing. */
export function hasSameOrder<Row>(latest: readonly Row[], shown: readonly Row[], getRowId: (row: Row) => string): boolean {
  return latest.length === shown.length && latest.every((row, index) => getRowId(row) === getRowId(shown[index] ?? row))
}
