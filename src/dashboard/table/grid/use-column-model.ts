import {
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
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

const features = tableFeatures({
  rowSortingFeature,
  columnOrderingFeature,
  columnPinningFeature,
  columnVisibilityFeature,
  columnSizingFeature,
})

/** Pixels of the checkbox column, which stands before all others. */
export const selectionWidth = 36
export const minColumnWidth = 64

export type ColumnControl<Row extends object> = LibraryColumn<typeof features, Row>

/** A column on screen: what it shows, and TanStack's object that sorts, moves and sizes it. */
export type VisibleColumn<Row extends object, Display> = {
  column: Column<Row, Display>
  control: ColumnControl<Row>
  width: number
  /** A pinned column's distance from the left edge of the table, pixels. */
  stickyLeft: number | undefined
}

/** TanStack's model of columns and rows. Its state lives in the URL (sorting, hidden) and in the layout on this device. */
export function useColumnModel<Row extends object, Display>(
  { definition, view, setView, layout, changeLayout, hiddenIds, setHiddenIds }: TableState<Row, Display>,
  rows: readonly Row[],
  display: Display,
) {
  const { columns, getRowId, sortableIds } = definition
  const rowHeaderId = columns[0]?.id ?? ''
  const columnDefs = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>()
    return columns.map(({ id, width }) =>
      helper.accessor((row): unknown => row, {
        id,
        size: typeof width === 'number' ? width : width(display),
        minSize: minColumnWidth,
        enableSorting: sortableIds.includes(id),
        enableHiding: id !== rowHeaderId,
        enablePinning: id !== rowHeaderId,
      }),
    )
  }, [columns, sortableIds, rowHeaderId, display])
  const hiddenKey = hiddenIds.join('\n')
  const state = useMemo(
    () => ({
      sorting: view.sort.map(({ id, direction }) => ({ id, desc: direction === 'desc' })),
      columnOrder: layout.order,
      columnPinning: { start: [rowHeaderId, ...layout.pinned.filter((id) => id !== rowHeaderId)], end: [] },
      columnSizing: layout.widths,
      columnVisibility: Object.fromEntries(hiddenKey.split('\n').map((id) => [id, false])),
    }),
    [view.sort, layout.order, layout.pinned, layout.widths, hiddenKey, rowHeaderId],
  )
  const table = useTable({
    features,
    columns: columnDefs,
    data: rows,
    getRowId,
    // The rows arrive sorted: by the server, or by the page that has them all.
    manualSorting: true,
    sortDescFirst: true,
    state,
    onSortingChange: (updater) => {
      const sorting = functionalUpdate(updater, state.sorting)
      setView({ sort: sorting.map(({ id, desc }): SortKey => ({ id, direction: desc ? 'desc' : 'asc' })) })
    },
    onColumnOrderChange: (updater) => changeLayout({ order: functionalUpdate(updater, state.columnOrder) }),
    onColumnPinningChange: (updater) => {
      const { start } = functionalUpdate(updater, state.columnPinning)
      changeLayout({ pinned: start.filter((id) => id !== rowHeaderId) })
    },
    onColumnSizingChange: (updater) => changeLayout({ widths: functionalUpdate(updater, state.columnSizing) }),
    onColumnVisibilityChange: (updater) => {
      const visibility = functionalUpdate(updater, state.columnVisibility)
      setHiddenIds(columns.flatMap(({ id }) => (visibility[id] === false ? [id] : [])))
    },
  })
  // The library keeps these lists until their order, visibility or definitions change.
  const pinned = table.getStartVisibleLeafColumns()
  const unpinned = table.getCenterVisibleLeafColumns()
  const { widths } = layout
  const visibleColumns = useMemo(() => {
    const columnsById = new Map(columns.map((column) => [column.id, column]))
    return [...pinned, ...unpinned].flatMap((control): VisibleColumn<Row, Display>[] => {
      const column = columnsById.get(control.id)
      const stickyLeft = control.getIsPinned() ? selectionWidth + control.getStart('start') : undefined
      return column ? [{ column, control, width: widths[control.id] ?? control.getSize(), stickyLeft }] : []
    })
  }, [columns, pinned, unpinned, widths])
  return { table, visibleColumns }
}

export type ColumnModel<Row extends object, Display> = ReturnType<typeof useColumnModel<Row, Display>>

/** The visible column that this one changes places with when it moves; undefined where it cannot move. */
export function findMoveTarget<Row extends object>(
  table: Pick<ColumnModel<Row, unknown>['table'], 'getStartVisibleLeafColumns' | 'getCenterVisibleLeafColumns'>,
  control: ColumnControl<Row>,
  by: -1 | 1,
): ColumnControl<Row> | undefined {
  const siblings = control.getIsPinned() ? table.getStartVisibleLeafColumns() : table.getCenterVisibleLeafColumns()
  const target = siblings[siblings.findIndex(({ id }) => id === control.id) + by]
  return control.getCanHide() && target?.getCanHide() ? target : undefined
}

/** Swaps two columns: hidden columns between them stay where they are. */
export function swapColumns<Row extends object>(
  table: Pick<ColumnModel<Row, unknown>['table'], 'getAllLeafColumns' | 'setColumnOrder' | 'setColumnPinning'>,
  left: ColumnControl<Row>,
  right: ColumnControl<Row>,
): void {
  const swap = (ids: readonly string[]) => ids.map((id) => (id === left.id ? right.id : id === right.id ? left.id : id))
  if (left.getIsPinned()) table.setColumnPinning(({ start, end }) => ({ start: swap(start), end }))
  else table.setColumnOrder(swap(table.getAllLeafColumns().map(({ id }) => id)))
}
