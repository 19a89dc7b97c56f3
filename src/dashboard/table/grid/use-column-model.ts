import {
  createColumnHelper,
  functionalUpdate,
  type Column as LibraryColumn,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import type { Column } from '../column'
import type { SortKey } from '../view/url-params'
import type { TableState } from '../view/use-table-state'

const features = tableFeatures({ rowSortingFeature })

/** Pixels of the checkbox column, which stands before all others. */
export const selectionWidth = 36
/** The first column is elastic. Beside a panel it has at least this many pixels, elsewhere more (`table.css`). */
export const minFirstWidth = 120

/** TanStack's object that sorts by a column. */
export type ColumnSorting<Row extends object> = LibraryColumn<typeof features, Row>

export type VisibleColumn<Row, Display> = {
  column: Column<Row, Display>
  width: number
  /** A pinned column's distance from the left edge of the table, pixels. */
  stickyLeft: number | undefined
}

/** Rows and sorting by TanStack, with the sort keys in the URL; the visible columns as `useTableLayout` arranges them. */
export function useColumnModel<Row extends object, Display>(
  { definition, view, setView, layout, visibleIds }: TableState<Row, Display>,
  rows: readonly Row[],
  display: Display,
) {
  const { columns, getRowId, sortableIds } = definition
  const columnDefs = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>()
    return columns.map(({ id }) => helper.accessor((row): unknown => row, { id, enableSorting: sortableIds.includes(id) }))
  }, [columns, sortableIds])
  const sorting = useMemo(() => view.sort.map(({ id, direction }) => ({ id, desc: direction === 'desc' })), [view.sort])
  const table = useTable({
    features,
    columns: columnDefs,
    data: rows,
    getRowId,
    // The rows arrive sorted: by the server, or by the page that has them all.
    manualSorting: true,
    sortDescFirst: true,
    state: { sorting },
    onSortingChange: (updater) =>
      setView({
        sort: functionalUpdate(updater, sorting).map(({ id, desc }): SortKey => ({ id, direction: desc ? 'desc' : 'asc' })),
      }),
  })
  const { widths, pinned } = layout
  const visibleColumns = useMemo(() => {
    const columnsById = new Map(columns.map((column) => [column.id, column]))
    const result: VisibleColumn<Row, Display>[] = []
    let left = selectionWidth
    for (const [index, id] of visibleIds.entries()) {
      const column = columnsById.get(id)
      if (!column) continue
      const ownWidth = typeof column.width === 'number' ? column.width : column.width(display)
      const width = widths[id] ?? Math.max(ownWidth, getMinHeaderWidth(column.label, sortableIds.includes(column.id)))
      const isSticky = index === 0 || pinned.includes(id)
      result.push({ column, width, stickyLeft: isSticky ? left : undefined })
      if (isSticky) left += width
    }
    return result
  }, [columns, sortableIds, visibleIds, widths, pinned, display])
  return { table, visibleColumns }
}

// Pixels: the widest letters of the usual fonts at 13 px, semibold, on average; padding and menu; arrow and number of a sort key.
const letterWidth = 7.8
const headerRoom = 34
const sortRoom = 20

/** The width that shows every word of a header whole, also while it is a sort key. Between words it may break. */
export function getMinHeaderWidth(label: string, isSortable: boolean): number {
  const longest = Math.max(...label.split(' ').map(({ length }) => length))
  return Math.ceil(longest * letterWidth) + headerRoom + (isSortable ? sortRoom : 0)
}

export type ColumnModel<Row extends object, Display> = ReturnType<typeof useColumnModel<Row, Display>>
