import { announce } from '../ui/announce'
import type { ColumnModel } from './use-column-model'

export const leastWidth = 64

/** All that can be done to one column, free of the row's type so that the menu can be loaded when it is opened. */
export function columnActions<Row extends object, Context>(model: ColumnModel<Row, Context>, columnId: string) {
  const { table, placed, layout, changeLayout } = model
  const leaf = table.getColumn(columnId)
  if (!leaf) throw new Error(`There is no column '${columnId}'`)
  const ids = placed.map(({ column }) => column.id)
  const place = ids.indexOf(columnId)
  const own = placed[place]
  const label = own?.column.label ?? columnId
  const isRowHeader = place === 0
  const isPinnedAt = (at: number) => layout.pinned.includes(ids[at] ?? '')
  const setWidth = (width: number) => changeLayout({ widths: { ...layout.widths, [columnId]: Math.max(leastWidth, width) } })
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
      const swap = (order: readonly string[]) =>
        order.map((id) => (id === columnId ? neighbour : id === neighbour ? columnId : id))
      // Among pinned columns the order is that of pinning; hidden ones between two neighbours stay where they are.
      if (layout.pinned.includes(columnId)) changeLayout({ pinned: swap(layout.pinned) })
      else table.setColumnOrder(swap)
      announce(`${label} moved ${by < 0 ? 'left' : 'right'}`)
    },
    hide: () => leaf.toggleVisibility(false),
    width: own?.width ?? leastWidth,
    setWidth,
    resetWidth: () => {
      const { [columnId]: _, ...widths } = layout.widths
      changeLayout({ widths })
    },
  }
}

export type ColumnActions = ReturnType<typeof columnActions>
