import { type ReactNode, Suspense, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { announce } from '../../ui/announce'
import { Button } from '../../ui/Button'
import { markFirstContent, useIsFirstContentShown } from '../../ui/first-content'
import { areAnswersLate, useAfterAnswer } from '../../ui/late-answers'
import { useDrawn } from '../../ui/use-drawn'
import { isOutdated, isPartial, needsMessage } from '../view/table-data'
import type { TableState } from '../view/use-table-state'
import { arrangeWidths, fitBesidePanel } from './fit-columns'
import { formatRowRange } from './format-row-range'
import { TableTools } from './lazy-tools'
import { PartFallback } from './PartFallback'
import { PartialBanner } from './PartialBanner'
import { SkeletonRows } from './SkeletonRows'
import { TableFooter } from './TableFooter'
import { TableHead } from './TableHead'
import { TableMessage } from './TableMessage'
import { TableRow } from './TableRow'
import { minFirstWidth, useColumnModel } from './use-column-model'
import { useFoldIndex } from './use-fold-index'
import { type PanelControls, useRowNavigation } from './use-row-navigation'
import { useTableWidth } from './use-table-width'

type Props<Row extends object, Display> = {
  /** From `useRemoteTable` or `useLocalTable`. */
  table: TableState<Row, Display>
  /** What the cells need beside their row. Keep the object while nothing changes: every row depends on it. */
  display: Display
  /** At the start of the toolbar, which a narrow window folds into one button. */
  filters?: ReactNode
  /** Removes all filters; undefined while none is set. */
  onClearFilters: (() => void) | undefined
  /** Figures and charts of what the filters leave, above the rows. */
  overview?: ReactNode
  /** `TableNote` elements about the rows, shown below them: a note that comes and goes must not move them. */
  notes?: ReactNode
  /** Shown where there are no rows at all. */
  emptyMessage: ReactNode
  /** What can be done with the selected rows, beside copying their ids. */
  renderSelectionActions?: (ids: readonly string[]) => ReactNode
  /** The panel of the open row; `row` is undefined where the URL names a row of another page. */
  renderPanel?: (row: Row | undefined, id: string, controls: PanelControls) => ReactNode
}

/** The table of costs, threads and queues: toolbar, rows, pages and the open row's panel. */
export function DataTable<Row extends object, Display>(props: Props<Row, Display>) {
  const { table, display, renderPanel } = props
  const { definition, view, setView, viewKey, data, layout, selected, setSelected } = table
  const scroller = useRef<HTMLDivElement>(null)
  const isScrolled = useRef(false)
  /** The row that was selected or deselected last: a range begins there. */
  const toggledId = useRef('')
  const isFirstContentShown = useIsFirstContentShown()
  // The first rows are deferred: rendered in one task with the page they would block a slow device.
  const hasRows = useDeferredValue(data.rows !== undefined)
  const shownRows = hasRows ? data.rows : undefined
  const model = useColumnModel(table, shownRows ?? noRows, display)
  const toolbarId = useId()
  const isLoading = shownRows === undefined && !needsMessage(data)
  // The row that is opened or left is marked first.
  const panelRow = useDrawn(view.row, view.row)
  const isPanelShown = renderPanel !== undefined && panelRow !== '' && !isLoading
  const tableWidth = useTableWidth(scroller, isPanelShown)
  const columns = useMemo(
    () =>
      isPanelShown && tableWidth !== undefined
        ? fitBesidePanel(
            model.visibleColumns,
            view.sort.map(({ id }) => id),
            tableWidth,
          )
        : model.visibleColumns,
    [model.visibleColumns, view.sort, isPanelShown, tableWidth],
  )
  const { rows: latestRows } = model.table.getRowModel()
  const content = useMemo(() => ({ rows: latestRows, columns, display }), [latestRows, columns, display])
  // Rows below the fold are rendered after those that are seen: half of the work until something changes on screen. Where
  // answers are late, all rows come after the answer to a click.
  const deferred = useDeferredValue(content)
  const seen = areAnswersLate() && deferred.rows.length > 0 ? deferred : content
  const foldIndex = useFoldIndex(scroller)
  const rows = seen.rows.length > foldIndex ? [...seen.rows.slice(0, foldIndex), ...deferred.rows.slice(foldIndex)] : seen.rows
  const widths =
    tableWidth === undefined
      ? undefined
      : arrangeWidths(seen.columns, layout, { tableWidth, firstMin: isPanelShown ? minFirstWidth : definition.minFirstWidth })

  const rowRange = formatRowRange(data)
  const isSettled = !data.isFetching && !data.isPlaceholder && data.rows !== undefined
  useEffect(() => {
    if (isSettled) announce(rowRange)
  }, [isSettled, rowRange])
  useEffect(() => {
    // It would lay out the page before the browser does.
    if (isScrolled.current) scroller.current?.scrollTo({ top: 0 })
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another view starts at its top
  }, [viewKey])
  // A link copied from the address bar must hide the columns that this device hides.
  useEffect(() => {
    if (view.hidden === undefined && layout.hidden !== undefined) setView({ hidden: layout.hidden }, { replace: true })
  }, [view.hidden, layout.hidden, setView])
  useEffect(() => {
    if (!isLoading) markFirstContent()
  }, [isLoading])

  const select = (changed: typeof rows, isSelected: boolean) => {
    const next = new Map(selected)
    for (const { id, original } of changed) {
      if (isSelected) next.set(id, original)
      else next.delete(id)
    }
    setSelected(next)
    announce(`${next.size} selected`)
  }
  const { bodyProps, controls, focusIndex } = useRowNavigation({
    ids: rows.map(({ id }) => id),
    view,
    setView,
    onFollow: (index) => {
      const href = rows[index] && definition.rowHref?.(rows[index].original, display)
      if (href) navigate(href)
      return href !== undefined
    },
    onToggle: (index, isRange) => {
      const row = rows[index]
      if (!row) return
      const from = isRange ? rows.findIndex(({ id }) => id === toggledId.current) : -1
      if (from < 0) select([row], !selected.has(row.id))
      else select(rows.slice(Math.min(from, index), Math.max(from, index) + 1), selected.has(toggledId.current))
      toggledId.current = row.id
    },
  })

  // Not the filters and the overview: a field that somebody types in would lose the letter until it is rendered.
  const tools = useAfterAnswer(isFirstContentShown && <TableTools table={table} model={model} display={display} />)
  const panel = useAfterAnswer(isPanelShown && renderPanel(rows.find(({ id }) => id === panelRow)?.original, panelRow, controls))

  return (
    <>
      <Button
        popoverTarget={toolbarId}
        icon="filter"
        className={`mx-4 mb-2 sm:hidden ${props.onClearFilters ? 'border-accent!' : ''}`}
      >
        Filters and tools
      </Button>
      <div id={toolbarId} popover="auto" className="table-toolbar foot-sheet">
        {props.filters}
        <div className="table-tools">
          <Suspense>{tools}</Suspense>
        </div>
      </div>
      <div className="table-notes">{props.notes}</div>
      <div className="table-split">
        <div className="table-main">
          {props.overview}
          {/* Keyboards scroll it by its rows, which take the focus. */}
          <div
            ref={scroller}
            className="table-scroll"
            data-keeps-focus="button"
            onScroll={({ currentTarget }) => {
              isScrolled.current = currentTarget.scrollTop > 0
              currentTarget.toggleAttribute('data-scrolled', currentTarget.scrollLeft > 0)
            }}
          >
            {data.isFetching && <ProgressLine />}
            <table
              aria-label={definition.label}
              aria-busy={data.isFetching}
              data-outdated={isOutdated(data) || undefined}
              data-selecting={selected.size > 0 || undefined}
              style={{ width: widths?.table }}
            >
              <TableHead
                layout={table}
                readAhead={table.readAhead}
                model={model}
                columns={seen.columns}
                firstWidth={widths?.first}
                display={seen.display}
                isEverySelected={rows.length > 0 && rows.every(({ id }) => selected.has(id))}
                onSelectAll={(isSelected) => select(rows, isSelected)}
              />
              {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- handles the events of the buttons in its rows */}
              <tbody {...bodyProps}>
                {isLoading ? (
                  <SkeletonRows max={view.size} visibleColumns={seen.columns} />
                ) : (
                  rows.map((row, index) => {
                    const { columns: rowColumns, display: rowDisplay } = index < foldIndex ? seen : deferred
                    return (
                      <TableRow
                        // oxlint-disable-next-line react/no-array-index-key -- rows have no state, and reusing them is cheaper than new ones
                        key={index}
                        row={row.original}
                        name={definition.getRowName?.(row.original) ?? row.id}
                        href={definition.rowHref?.(row.original, rowDisplay)}
                        index={index}
                        visibleColumns={rowColumns}
                        display={rowDisplay}
                        isSelected={selected.has(row.id)}
                        isOpen={row.id === view.row}
                        isTabStop={index === focusIndex}
                      />
                    )
                  })
                )}
              </tbody>
            </table>
            {needsMessage(data) && (
              <TableMessage table={table} onClearFilters={props.onClearFilters} emptyMessage={props.emptyMessage} />
            )}
          </div>
        </div>
        {panel && (
          <Suspense
            fallback={
              <div className="row-panel">
                <PartFallback />
              </div>
            }
          >
            {panel}
          </Suspense>
        )}
      </div>
      {isPartial(data) && <PartialBanner data={data} columns={definition.columns} />}
      <TableFooter
        table={table}
        rowRange={rowRange}
        selectedIds={[...selected.keys()]}
        selectionActions={props.renderSelectionActions?.([...selected.keys()])}
        onClearSelection={() => setSelected(new Map())}
      />
    </>
  )
}

const lineDelayMs = 150

/** Says that rows are being read. Not of a request that takes no time: a line that flashes would cost more than the rows. */
function ProgressLine() {
  const [isShown, setIsShown] = useState(false)
  // Timers are outside React.
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), lineDelayMs)
    return () => clearTimeout(timer)
  }, [])
  return isShown ? <div className="progress-line" aria-hidden="true" /> : null
}

const noRows: readonly never[] = []
