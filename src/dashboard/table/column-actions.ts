import { announce } from '../ui/announce'
import type { ColumnModel } from './use-column-model'

export const leastWidth = 64

/** All that can be done to one column, free of the row's type so that the menu can be loaded when it is opened. */
export function columnActions<Row extends object, Context>(model: ColumnModel<Row, Context>, columnId: string) {
  const { table, placed } = model
  const leaf = table.getColumn(columnId)
  if (!leaf) throw new Error(`There is no column '${columnId}'`)
  const ids = placed.map(({ column }) => column.id)
  const place = ids.indexOf(columnId)
  const own = placed[place]
  const label = own?.column.label ?? columnId
  const isRowHeader = place === 0
  const setWidth = (width: number) => table.setColumnSizing((before) => ({ ...before, [columnId]: Math.max(leastWidth, width) }))
  return {
    isSortable: leaf.getCanSort(),
    direction: leaf.getIsSorted(),
    sortCount: table.state.sorting.length,
    sort: (direction: 'asc' | 'desc') => leaf.toggleSorting(direction === 'desc'),
    alsoSort: () => leaf.toggleSorting(undefined, true),
    clearSort: () => leaf.clearSorting(),
    isRowHeader,
    isPinned: !isRowHeader && leaf.getIsPinned() === 'start',
    pin: (isPinned: boolean) => leaf.pin(isPinned ? 'start' : false),
    canMoveLeft: place > 1,
    canMoveRight: !isRowHeader && place < ids.length - 1,
    move: (by: -1 | 1) => {
      const order = table.getAllLeafColumns().map(({ id }) => id)
      const to = order.indexOf(ids[place + by] ?? columnId)
      order.splice(to, 0, ...order.splice(order.indexOf(columnId), 1))
      table.setColumnOrder(order)
      announce(`${label} moved ${by < 0 ? 'left' : 'right'}`)
    },
    hide: () => leaf.toggleVisibility(false),
    width: own?.width ?? leastWidth,
    setWidth,
    resetWidth: () => leaf.resetSize(),
  }
}

export type ColumnActions = ReturnType<typeof columnActions>
