import {
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  functionalUpdate,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import type { Column } from './column'
import type { TableView } from './params'
import type { TableLayout } from './table-layout'
import type { SetView } from './use-view'

// Rows come sorted and cut into pages, so of the library's features only those over columns are taken.
const features = tableFeatures({
  rowSortingFeature,
  columnVisibilityFeature,
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
})

/** Room of the column of checkboxes, which stands before all others. */
export const selectionWidth = 36

/** A visible column with its place: where it sticks, counted from the table's left edge, if it is pinned. */
export type PlacedColumn<Row, Context> = { column: Column<Row, Context>; width: number; stickAt: number | undefined }

type Options<Row, Context> = {
  columns: readonly Column<Row, Context>[]
  rows: readonly Row[]
  idOf: (row: Row) => string
  sortable: ReadonlySet<string>
  view: TableView
  setView: SetView<TableView>
  layout: TableLayout
  changeLayout: (part: Partial<TableLayout>) => void
}

/** The library's model of columns and rows, its state kept where it belongs: in the address and on the device. */
export function useColumnModel<Row extends object, Context>(options: Options<Row, Context>) {
  const { columns, rows, idOf, sortable, view, setView, layout, changeLayout } = options
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>()
    return columns.map(({ id, label, width }) =>
      helper.accessor((row): unknown => row, { id, header: label, size: width, enableSorting: sortable.has(id) }),
    )
  }, [columns, sortable])
  const rowHeaderId = columns[0]?.id ?? ''
  const hidden = hiddenColumns(columns, view, layout)
  const table = useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: idOf,
    manualSorting: true,
    sortDescFirst: true,
    state: {
      sorting: view.sort.map(({ id, direction }) => ({ id, desc: direction === 'desc' })),
      columnVisibility: Object.fromEntries(hidden.map((id) => [id, false])),
      columnOrder: layout.order,
      columnPinning: { start: [rowHeaderId, ...layout.pinned], end: [] },
      columnSizing: layout.widths,
    },
    onSortingChange: (updater) => {
      const before = view.sort.map(({ id, direction }) => ({ id, desc: direction === 'desc' }))
      setView({ sort: functionalUpdate(updater, before).map(({ id, desc }) => ({ id, direction: desc ? 'desc' : 'asc' })) })
    },
    onColumnOrderChange: (updater) => changeLayout({ order: functionalUpdate(updater, layout.order) }),
    onColumnSizingChange: (updater) => changeLayout({ widths: functionalUpdate(updater, layout.widths) }),
    onColumnPinningChange: (updater) => {
      const { start } = functionalUpdate(updater, { start: [rowHeaderId, ...layout.pinned], end: [] })
      changeLayout({ pinned: start.filter((id) => id !== rowHeaderId) })
    },
    onColumnVisibilityChange: (updater) => {
      const visibility = functionalUpdate(updater, Object.fromEntries(hidden.map((id) => [id, false])))
      const next = columns.filter(({ id }) => visibility[id] === false).map(({ id }) => id)
      const isDefault = sameSet(next, hiddenAtFirst(columns))
      changeLayout({ hidden: isDefault ? undefined : next })
      setView({ hidden: isDefault ? undefined : next })
    },
  })
  const visible = table.getVisibleLeafColumns()
  const placed = useMemo(() => {
    const byId = new Map(columns.map((column) => [column.id, column]))
    const result: PlacedColumn<Row, Context>[] = []
    let edge = selectionWidth
    for (const leaf of visible) {
      const column = byId.get(leaf.id)
      if (!column) continue
      const width = layout.widths[leaf.id] ?? column.width
      const isPinned = leaf.id === rowHeaderId || layout.pinned.includes(leaf.id)
      result.push({ column, width, stickAt: isPinned ? edge : undefined })
      if (isPinned) edge += width
    }
    return result
  }, [visible, columns, layout.widths, layout.pinned, rowHeaderId])
  return { table, placed, hidden }
}

export type ColumnModel<Row extends object, Context> = ReturnType<typeof useColumnModel<Row, Context>>

/** The ids not shown: as the address says, else as this device has it, else as the columns begin. */
export function hiddenColumns(
  columns: readonly { id: string; isHiddenAtFirst?: boolean }[],
  view: Pick<TableView, 'hidden'>,
  layout: TableLayout,
): readonly string[] {
  // The row header names the row and can never go.
  return (view.hidden ?? layout.hidden ?? hiddenAtFirst(columns)).filter((id) => id !== columns[0]?.id)
}

function hiddenAtFirst(columns: readonly { id: string; isHiddenAtFirst?: boolean }[]): string[] {
  return columns.filter((column) => column.isHiddenAtFirst).map(({ id }) => id)
}

function sameSet(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((id) => right.includes(id))
}
