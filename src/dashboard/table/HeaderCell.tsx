import { lazy, type PointerEvent, Suspense } from 'react'
import { Icon } from '../ui/Icon'
import { leastWidth, withWidth } from './table-layout'
import type { ColumnModel, PlacedColumn } from './use-column-model'

const ColumnMenu = lazy(() => import('./ColumnMenu').then((module) => ({ default: module.ColumnMenu })))

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
      {hasMenu && (
        <Suspense>
          <ColumnMenu label={column.label} controls={{ ...model, leaf, columnId: column.id }} />
        </Suspense>
      )}
      <span
        aria-hidden="true"
        className="resize-handle"
        onPointerDown={(event) => dragWidth(event, (next) => model.changeLayout(withWidth(model.layout, column.id, next)))}
      />
    </th>
  )
}

/** Follows the pointer until it is let go. */
function dragWidth(event: PointerEvent<HTMLElement>, setWidth: (width: number) => void) {
  event.preventDefault()
  const handle = event.currentTarget
  const startX = event.clientX
  const startWidth = handle.parentElement?.getBoundingClientRect().width ?? leastWidth
  const move = (moved: globalThis.PointerEvent) => setWidth(Math.round(startWidth + moved.clientX - startX))
  handle.setPointerCapture(event.pointerId)
  handle.addEventListener('pointermove', move)
  handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true })
}
