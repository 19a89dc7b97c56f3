import { type PointerEvent, Suspense } from 'react'
import { useIsFirstContentShown } from '../../ui/first-content'
import { Icon } from '../../ui/Icon'
import { minColumnWidth, type TableLayoutControls } from '../view/table-layout'
import { ColumnMenu } from './lazy-tools'
import type { ColumnModel, VisibleColumn } from './use-column-model'

type Props<Row extends object, Display> = {
  visible: VisibleColumn<Row, Display>
  display: Display
  table: ColumnModel<Row, Display>['table']
  layout: TableLayoutControls
  /** Has no width of its own and fills what the other columns leave. */
  isElastic: boolean
}

/** A column's header: click to sort, shift-click to add a sort key, a menu for the rest. */
export function HeaderCell<Row extends object, Display>({ visible, display, table, layout, isElastic }: Props<Row, Display>) {
  const { column, width, stickyLeft } = visible
  const isFirstContentShown = useIsFirstContentShown()
  const sorting = table.getColumn(column.id)
  if (!sorting) return null
  const sortCount = table.state.sorting.length
  const direction = sorting.getIsSorted()
  const isSortable = sorting.getCanSort()
  const unit = column.unit?.(display)
  return (
    <th
      scope="col"
      data-label={column.label}
      aria-sort={direction ? (direction === 'asc' ? 'ascending' : 'descending') : undefined}
      title={[column.description, !isSortable && 'The server cannot sort by this column.'].filter(Boolean).join(' ') || undefined}
      style={{ width: isElastic ? undefined : width, left: stickyLeft }}
      className={`head-cell ${stickyLeft === undefined ? '' : 'is-pinned'} ${column.align === 'end' ? 'is-end' : ''} ${isSortable ? '' : 'is-fixed-order'}`}
    >
      <div className="head-content">
        {isSortable ? (
          <button type="button" className="sort-button" onClick={sorting.getToggleSortingHandler()}>
            <span className="truncate">{column.label}</span>
            {direction && <Icon name={direction === 'asc' ? 'arrow-up' : 'arrow-down'} className="size-3 text-accent" />}
            {direction && sortCount > 1 && (
              <span aria-hidden="true" className="text-xs text-accent">
                {sorting.getSortIndex() + 1}
              </span>
            )}
          </button>
        ) : (
          <span className="truncate">{column.label}</span>
        )}
        {unit && <span className="head-unit">{unit}</span>}
      </div>
      <Suspense>
        {isFirstContentShown && (
          <ColumnMenu id={column.id} label={column.label} width={width} sorting={sorting} sortCount={sortCount} layout={layout} />
        )}
      </Suspense>
      {/* For the pointer; the keyboard has the same in the column's menu. */}
      <span
        aria-hidden="true"
        className="resize-handle"
        onPointerDown={(event) => dragWidth(event, (next) => layout.setWidth(column.id, next))}
      />
    </th>
  )
}

/** Calls `setWidth` until the pointer is released. Starts from the width on screen: an elastic column has no other. */
function dragWidth(event: PointerEvent<HTMLElement>, setWidth: (width: number) => void) {
  event.preventDefault()
  const handle = event.currentTarget
  const startX = event.clientX
  const startWidth = handle.parentElement?.getBoundingClientRect().width ?? minColumnWidth
  const move = (moved: globalThis.PointerEvent) => setWidth(Math.round(startWidth + moved.clientX - startX))
  handle.setPointerCapture(event.pointerId)
  handle.addEventListener('pointermove', move)
  handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true })
}
