import { announce } from '../../ui/announce'
import { type TableLayout, withWidth } from './table-layout'

/** What of the column model the actions need: nothing that knows the row's type. */
export type ColumnControls = {
  columnId: string
  leaf: {
    getIsSorted: () => false | 'asc' | 'desc'
    getCanSort: () => boolean
    toggleSorting: (isDescending?: boolean, isAdded?: boolean) => void
    clearSorting: () => void
  }
  table: { state: { sorting: readonly unknown[] } }
  /** All ids, hidden ones too, as they are drawn. */
  order: readonly string[]
  toggleColumn: (id: string) => void
  placed: readonly { column: { id: string; label: string }; width: number }[]
  layout: TableLayout
  changeLayout: (part: Partial<TableLayout>) => void
}

/** All that can be done to one column. */
export function columnActions(controls: ColumnControls) {
  const { columnId, leaf, table, placed, order, toggleColumn, layout, changeLayout } = controls
  const ids = placed.map(({ column }) => column.id)
  const place = ids.indexOf(columnId)
  const own = placed[place]
  const label = own?.column.label ?? columnId
  const isRowHeader = place === 0
  const isPinnedAt = (at: number) => layout.pinned.includes(ids[at] ?? '')
  const setWidth = (width: number) => changeLayout(withWidth(layout, columnId, width))
  return {
    isSortable: leaf.getCanSort(),
    direction: leaf.getIsSorted(),
    sortCount: table.state.sorting.length,
    sort: (direction: 'asc' | 'desc') => leaf.toggleSorting(direction === 'desc'),
    alsoSort: () => leaf.toggleSorting(undefined, true),
    clearSort: () => leaf.clearSorting(),
    isRowHeader,
    isPinned: layout.pinned.includes(columnId),
    pin: (isPinned: boolean) => {
      const others = layout.pinned.filter((id) => id !== columnId)
      changeLayout({ pinned: isPinned ? [...others, columnId] : others })
    },
    canMoveLeft: place > 1 && isPinnedAt(place) === isPinnedAt(place - 1),
    canMoveRight: !isRowHeader && place < ids.length - 1 && isPinnedAt(place) === isPinnedAt(place + 1),
    move: (by: -1 | 1) => {
      const neighbour = ids[place + by] ?? columnId
      const swap = (list: readonly string[]) => list.map((id) => (id === columnId ? neighbour : id === neighbour ? columnId : id))
      // Among pinned columns the order is that of pinning; hidden ones between two neighbours stay where they are.
      if (layout.pinned.includes(columnId)) changeLayout({ pinned: swap(layout.pinned) })
      else changeLayout({ order: swap(order) })
      announce(`${label} moved ${by < 0 ? 'left' : 'right'}`)
    },
    hide: () => toggleColumn(columnId),
    width: own?.width ?? 0,
    setWidth,
    resetWidth: () => {
      const { [columnId]: _, ...widths } = layout.widths
      changeLayout({ widths })
    },
  }
}

export type ColumnActions = ReturnType<typeof columnActions>
