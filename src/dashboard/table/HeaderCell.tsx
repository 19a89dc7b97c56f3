import { lazy, type PointerEvent, Suspense } from 'react'
import { Icon } from '../ui/Icon'
import { IconButton } from '../ui/IconButton'
import { Menu } from '../ui/Menu'
import { type ColumnActions, columnActions, leastWidth } from './column-actions'
import type { ColumnModel, PlacedColumn } from './use-column-model'

const ColumnMenuItems = lazy(() => import('./ColumnMenuItems').then((module) => ({ default: module.ColumnMenuItems })))

type Props<Row extends object, Context> = {
  placed: PlacedColumn<Row, Context>
  context: Context
  model: ColumnModel<Row, Context>
  /** No width of its own: takes the room that is left. */
  isElastic: boolean
}

/** A column's header: press to sort, shift to add a key, and a menu for all the rest. */
export function HeaderCell<Row extends object, Context>({ placed, context, model, isElastic }: Props<Row, Context>) {
  const { column, width, stickAt } = placed
  const leaf = model.table.getColumn(column.id)
  const actions = columnActions(model, column.id)
  const { direction, isSortable } = actions
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
          <button type="button" className="sort-button" onClick={leaf?.getToggleSortingHandler()}>
            <span className="truncate">{column.label}</span>
            {direction && <Icon name={direction === 'asc' ? 'arrow-up' : 'arrow-down'} className="size-3 text-accent" />}
            {direction && actions.sortCount > 1 && (
              <span aria-hidden="true" className="text-xs text-accent">
                {(leaf?.getSortIndex() ?? 0) + 1}
              </span>
            )}
          </button>
        ) : (
          <span className="truncate">{column.label}</span>
        )}
        {unit && <span className="head-unit">{unit}</span>}
      </div>
      <ColumnMenu label={column.label} actions={actions} />
      <span aria-hidden="true" className="resize-handle" onPointerDown={(event) => dragWidth(event, actions.setWidth)} />
    </th>
  )
}

function ColumnMenu({ label, actions }: { label: string; actions: ColumnActions }) {
  return (
    <div className="head-menu">
      <Menu
        label={`Options for ${label}`}
        align="end"
        renderTrigger={(trigger) => (
          <IconButton {...trigger} icon="chevron-down" label={`Options for ${label}`} className="size-5!" />
        )}
      >
        <Suspense fallback={<p className="px-2.5 py-1 text-quiet">Loading…</p>}>
          <ColumnMenuItems actions={actions} />
        </Suspense>
      </Menu>
    </div>
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
