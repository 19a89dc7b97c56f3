import type { PointerEvent } from 'react'
import { Icon } from '../../ui/Icon'
import { ColumnMenu } from './ColumnMenu'
import { type ColumnModel, minColumnWidth, type VisibleColumn } from './use-column-model'

type Props<Row extends object, Display> = {
  visible: VisibleColumn<Row, Display>
  display: Display
  table: ColumnModel<Row, Display>['table']
  /** Has no width of its own and fills what the other columns leave. */
  isElastic: boolean
}

/** A column's header: click to sort, shift-click to add a sort key, a menu for the rest. */
export function HeaderCell<Row extends object, Display>({ visible, display, table, isElastic }: Props<Row, Display>) {
  const { column, control, width, stickyLeft } = visible
  const direction = control.getIsSorted()
  const isSortable = control.getCanSort()
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
          <button type="button" className="sort-button" onClick={control.getToggleSortingHandler()}>
            <span className="truncate">{column.label}</span>
            {direction && <Icon name={direction === 'asc' ? 'arrow-up' : 'arrow-down'} className="size-3 text-accent" />}
            {direction && table.state.sorting.length > 1 && (
              <span aria-hidden="true" className="text-xs text-accent">
                {control.getSortIndex() + 1}
              </span>
            )}
          </button>
        ) : (
          <span className="truncate">{column.label}</span>
        )}
        {unit && <span className="head-unit">{unit}</span>}
      </div>
      <ColumnMenu label={column.label} control={control} table={table} />
      {/* For the pointer; the keyboard has the same in the column's menu. */}
      <span
        aria-hidden="true"
        className="resize-handle"
        onPointerDown={(event) =>
          dragWidth(event, (next) =>
            table.setColumnSizing((sizes) => ({ ...sizes, [column.id]: Math.max(minColumnWidth, next) })),
          )
        }
      />
    </th>
  )
}

// Not the library's resizing feature: it starts from the stored width, and an elastic column is wider than that.
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
