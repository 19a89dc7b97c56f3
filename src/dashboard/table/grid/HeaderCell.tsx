import { type MouseEvent, Suspense, useState } from 'react'
import { afterFrame } from '../../ui/after-frame'
import { useIsFirstContentShown } from '../../ui/first-content'
import { Icon } from '../../ui/Icon'
import { areAnswersLate } from '../../ui/late-answers'
import { useIntent } from '../../ui/use-intent'
import type { TableLayoutControls } from '../view/table-layout'
import type { ReadAhead } from '../view/use-table-state'
import { ColumnMenu } from './lazy-tools'
import type { ColumnModel, VisibleColumn } from './use-column-model'

type Props<Row extends object, Display> = {
  visible: VisibleColumn<Row, Display>
  /** Pixels. That of the first column follows the table. */
  shownWidth: number | undefined
  display: Display
  table: ColumnModel<Row, Display>['table']
  layout: TableLayoutControls
  readAhead: ReadAhead | undefined
}

/** A column's header: click to sort, shift-click to add a sort key, a menu for the rest. */
export function HeaderCell<Row extends object, Display>({
  visible,
  shownWidth,
  display,
  table,
  layout,
  readAhead,
}: Props<Row, Display>) {
  const { column, width, stickyLeft } = visible
  const isFirstContentShown = useIsFirstContentShown()
  const sorting = table.getColumn(column.id)
  const intent = useIntent(() => {
    const next = sorting?.getNextSortingOrder()
    return readAhead?.({ sort: next ? [{ id: column.id, direction: next }] : [] }) ?? (() => undefined)
  })
  /** Where answers are late, the order that was just asked for: it is marked first, and the table follows. */
  const [asked, setAsked] = useState<ReturnType<NonNullable<typeof sorting>['getNextSortingOrder']>>()
  if (!sorting) return null
  const sortCount = table.state.sorting.length
  const direction = asked ?? sorting.getIsSorted()
  const sort = (event: MouseEvent) => {
    const { currentTarget: button } = event
    const toggle = () => sorting.getToggleSortingHandler()?.(event)
    if (!areAnswersLate()) return toggle()
    setAsked(sorting.getNextSortingOrder())
    afterFrame(() => {
      setAsked(undefined)
      // After the page was left, it would change the URL of the next one.
      if (button.isConnected) toggle()
    })
  }
  const isSortable = sorting.getCanSort()
  const unit = column.unit?.(display)
  return (
    <th
      scope="col"
      data-label={column.label}
      aria-sort={direction ? (direction === 'asc' ? 'ascending' : 'descending') : undefined}
      title={[column.description, !isSortable && 'The server cannot sort by this column.'].filter(Boolean).join(' ') || undefined}
      style={{ width: shownWidth, left: stickyLeft }}
      className={`head-cell ${stickyLeft === undefined ? '' : 'is-pinned'} ${column.align === 'end' ? 'is-end' : ''} ${isSortable ? '' : 'is-fixed-order'}`}
    >
      <div className="head-content">
        {isSortable ? (
          <button type="button" className="sort-button" {...intent} onClick={sort}>
            <span>{column.label}</span>
            {direction && <Icon name={direction === 'asc' ? 'arrow-up' : 'arrow-down'} className="size-3 text-accent" />}
            {direction && sortCount > 1 && sorting.getIsSorted() && (
              <span aria-hidden="true" className="text-xs text-accent">
                {sorting.getSortIndex() + 1}
              </span>
            )}
          </button>
        ) : (
          <span>{column.label}</span>
        )}
        {unit && <span className="head-unit">{unit}</span>}
      </div>
      <Suspense>
        {isFirstContentShown && (
          <ColumnMenu id={column.id} label={column.label} width={width} sorting={sorting} sortCount={sortCount} layout={layout} />
        )}
      </Suspense>
    </th>
  )
}
