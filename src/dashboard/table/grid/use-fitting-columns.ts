import { type RefObject, useLayoutEffect } from 'react'
import { minFirstWidth, selectionWidth, type VisibleColumn } from './use-column-model'

type Options = {
  visibleColumns: readonly VisibleColumn<never, never>[]
  sortedIds: readonly string[]
  isPanelOpen: boolean
  scroller: RefObject<HTMLElement | null>
  /** Undefined: all columns. */
  onFit: (ids: ReadonlySet<string> | undefined) => void
}

/** While the panel of a row stands beside the table, only the columns that fit are rendered: nobody scrolls beside a panel. */
export function useFittingColumns({ visibleColumns, sortedIds, isPanelOpen, scroller, onFit }: Options): void {
  const sortedKey = sortedIds.join()
  // The width is outside React. Measured before the first paint, so that no column shows up only to go.
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element || !isPanelOpen) return
    const columns = visibleColumns.map(({ column, width }, index) => ({
      id: column.id,
      width: index === 0 ? Math.min(width, minFirstWidth) : width,
    }))
    const measure = () => {
      const fitting = fitColumns(columns, new Set(sortedKey.split(',')), element.clientWidth - selectionWidth)
      onFit(new Set(fitting.map(({ id }) => id)))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => {
      observer.disconnect()
      onFit(undefined)
    }
  }, [visibleColumns, sortedKey, isPanelOpen, scroller, onFit])
}

type Fit = { id: string; width: number }

/** The columns that fit, in their order: the first one and those that sort the rows in any case, then others from the left. */
export function fitColumns(columns: readonly Fit[], sortedIds: ReadonlySet<string>, availableWidth: number): readonly Fit[] {
  const isKept = (id: string) => id === columns[0]?.id || sortedIds.has(id)
  let rest = columns.reduce((width, column) => (isKept(column.id) ? width - column.width : width), availableWidth)
  return columns.filter(({ id, width }) => {
    if (isKept(id)) return true
    // What follows a column without room stays away too: a gap would be a riddle.
    rest = width > rest ? -1 : rest - width
    return rest >= 0
  })
}
