import { createColumnHelper, functionalUpdate, rowSortingFeature, tableFeatures, useTable } from '@tanstack/react-table'
import { useMemo } from 'react'
import type { Column } from '../column'
import type { TableView } from '../view/url-params'
import type { TableLayout } from './table-layout'
import type { SetView } from '../view/use-url-state'

// Rows come cut into pages, so of the library's features only the cycle of sorting is taken. Its pinning, sizing, order and
// visibility of columns would be 6 kB more for three lists of ids and a table of numbers.
const features = tableFeatures({ rowSortingFeature })

/** Room of the column of checkboxes, which stands before all others. */
export const selectionWidth = 36

/** A visible column with its place: where it sticks, counted from the table's left edge, if it is pinned. */
export type PlacedColumn<Row, Context> = { column: Column<Row, Context>; width: number; stickAt: number | undefined }

type Options<Row, Context> = {
  columns: readonly Column<Row, Context>[]
  context: Context
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
  const { columns, context, rows, idOf, sortable, view, setView, layout, changeLayout } = options
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>()
    return columns.map(({ id, label }) =>
      helper.accessor((row): unknown => row, { id, header: label, enableSorting: sortable.has(id) }),
    )
  }, [columns, sortable])
  const rowHeaderId = columns[0]?.id ?? ''
  const hidden = useMemo(() => hiddenColumns(columns, view, layout), [columns, view, layout])
  const order = useMemo(() => orderOf(columns, layout), [columns, layout])
  const table = useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: idOf,
    manualSorting: true,
    sortDescFirst: true,
    state: {
      sorting: view.sort.map(({ id, direction }) => ({ id, desc: direction === 'desc' })),
    },
    onSortingChange: (updater) => {
      const before = view.sort.map(({ id, direction }) => ({ id, desc: direction === 'desc' }))
      setView({ sort: functionalUpdate(updater, before).map(({ id, desc }) => ({ id, direction: desc ? 'desc' : 'asc' })) })
    },
  })
  const placed = useMemo(() => {
    const byId = new Map(columns.map((column) => [column.id, column]))
    const result: PlacedColumn<Row, Context>[] = []
    let edge = selectionWidth
    for (const id of order) {
      const column = byId.get(id)
      if (!column || hidden.includes(id)) continue
      const ownWidth = typeof column.width === 'number' ? column.width : column.width(context)
      const width = layout.widths[id] ?? ownWidth
      const isPinned = id === rowHeaderId || layout.pinned.includes(id)
      result.push({ column, width, stickAt: isPinned ? edge : undefined })
      if (isPinned) edge += width
    }
    return result
  }, [columns, hidden, order, context, layout.widths, layout.pinned, rowHeaderId])
  const toggleColumn = (id: string) => {
    const next = columns.map((column) => column.id).filter((each) => hidden.includes(each) !== (each === id))
    const isDefault = sameSet(next, hiddenAtFirst(columns))
    changeLayout({ hidden: isDefault ? undefined : next })
    setView({ hidden: isDefault ? undefined : next })
  }
  return { table, placed, hidden, order, toggleColumn, layout, changeLayout }
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

/** All ids in the order they are drawn: the row header, what is pinned, then the rest as moved, and new ones at their first place. */
export function orderOf(columns: readonly { id: string }[], { order, pinned }: Pick<TableLayout, 'order' | 'pinned'>): string[] {
  const ids = columns.map(({ id }) => id)
  const first = [ids[0] ?? '', ...pinned.filter((id) => ids.includes(id) && id !== ids[0])]
  const moved = order.filter((id) => ids.includes(id))
  const added = ids.filter((id) => !moved.includes(id))
  return [...first, ...[...moved, ...added].filter((id) => !first.includes(id))]
}

function hiddenAtFirst(columns: readonly { id: string; isHiddenAtFirst?: boolean }[]): string[] {
  return columns.filter((column) => column.isHiddenAtFirst).map(({ id }) => id)
}

function sameSet(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((id) => right.includes(id))
}
