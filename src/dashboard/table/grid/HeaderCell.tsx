import { lazy, Suspense } from 'react'
import { Icon } from '../../ui/Icon'
import type { ColumnModel, PlacedColumn } from './use-column-model'

const ColumnMenu = lazy(() => import('./ColumnMenu').then((module) => ({ default: module.ColumnMenu })))

const ResizeHandle = lazy(() => import('./ResizeHandle').then((module) => ({ default: module.ResizeHandle })))

type Props<Row extends object, Context> = {
  placed: PlacedColumn<Row, Context>
  context: Context
  model: ColumnModel<Row, Context>
  /** No width of its own: takes the room that is left. */
  isElastic: boolean
  /** The menus come after the first rows. */
  hasMenu: boolean
}

/** A column's header: press to sort, shift to add a key, and a menu for all the rest. */
export function HeaderCell<Row extends object, Context>({ placed, context, model, isElastic, hasMenu }: Props<Row, Context>) {
  const { column, width, stickAt } = placed
  const leaf = model.table.getColumn(column.id)
  if (!leaf) return null
  const direction = leaf.getIsSorted()
  const isSortable = leaf.getCanSort()
  const sortCount = model.table.state.sorting.length
  const unit = column.unit?.(context)
  return (
    <th
      scope="col"
      data-label={column.label}
      aria-sort={direction ? (direction === 'asc' ? 'ascending' : 'descending') : undefined}
      title={[column.hint, !isSortable && 'The server cannot sort by this column.'].filter(Boolean).join(' ') || undefined}
      style={{ width: isElastic ? undefined : width, left: stickAt }}
      className={`head-cell ${stickAt === undefined ? '' : 'is-pinned'} ${column.align === 'end' ? 'is-end' : ''} ${isSortable ? '' : 'is-fixed-order'}`}
    >
      <div className="head-content">
        {isSortable ? (
          <button type="button" className="sort-button" onClick={leaf.getToggleSortingHandler()}>
            <span className="truncate">{column.label}</span>
            {direction && <Icon name={direction === 'asc' ? 'arrow-up' : 'arrow-down'} className="size-3 text-accent" />}
            {direction && sortCount > 1 && (
              <span aria-hidden="true" className="text-xs text-accent">
                {leaf.getSortIndex() + 1}
              </span>
            )}
          </button>
        ) : (
          <span className="truncate">{column.label}</span>
        )}
        {unit && <span className="head-unit">{unit}</span>}
      </div>
      <Suspense>
        {hasMenu && (
          <>
            <ColumnMenu label={column.label} controls={{ ...model, leaf, columnId: column.id }} />
            <ResizeHandle columnId={column.id} layout={model.layout} changeLayout={model.changeLayout} />
          </>
        )}
      </Suspense>
    </th>
  )
}
