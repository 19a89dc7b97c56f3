import { lazy, type ReactNode, Suspense, useDeferredValue, useEffect, useRef } from 'react'
import type { RequestPreview } from '../../client/request-preview'
import { useConnection } from '../../client/connection-context'
import { announce } from '../../ui/announce'
import { markFirstContent, useIsFirstContentShown } from '../../ui/first-content'
import { type TableData, needsMessage, isPartial } from '../view/table-data'
import type { Column } from '../column'
import type { SaveRows } from './ExportMenu'
import { useHeldAnswer } from '../view/held-answer'
import type { TableView } from '../view/url-params'
import { formatRowRange } from './format-row-range'
import { SkeletonRows } from './SkeletonRows'
import { TableFooter } from './TableFooter'
import { TableRow } from './TableRow'
import { TableHead } from './TableHead'
import { useTableLayout } from './table-layout'
import { selectionWidth, useColumnModel } from './use-column-model'
import { useRefreshEvery } from '../view/use-refresh-every'
import { type PanelControls, useRowNavigation } from './use-row-navigation'
import { useSelection } from './use-selection'
import type { SetView } from '../view/use-url-state'

const TableTools = lazy(() => import('./TableTools').then((module) => ({ default: module.TableTools })))
const TableMessage = lazy(() => import('./TableMessage').then((module) => ({ default: module.TableMessage })))
const PartialBanner = lazy(() => import('./PartialBanner').then((module) => ({ default: module.PartialBanner })))

export type DataTableProps<Row extends object, Context> = {
  /** Under which its arrangement is kept on the device. */
  name: string
  /** Names the table for readers. */
  label: string
  columns: readonly Column<Row, Context>[]
  context: Context
  idOf: (row: Row) => string
  /** Ids of the columns that whoever sorts can sort by. */
  sortable: ReadonlySet<string>
  view: TableView
  setView: SetView<TableView>
  answer: TableData<Row>
  /** Filters, at the start of the line above the table. */
  filters: ReactNode
  isFiltered: boolean
  onClearFilters: () => void
  /** What to say where the project has no rows at all. */
  whenEmpty: ReactNode
  /** Between the toolbar and the table. */
  notes?: ReactNode
  /** The request behind the rows on screen, for copying. */
  request: RequestPreview
  /** All rows of the view, page after page. */
  readAll: (signal: AbortSignal) => AsyncGenerator<readonly Row[]>
  renderPanel: (row: Row | undefined, id: string, controls: PanelControls) => ReactNode
}

/** THE table: of costs and of threads. Rows come sorted and cut; this draws them, and hears keys and presses. */
export function DataTable<Row extends object, Context>(props: DataTableProps<Row, Context>) {
  const { name, label, columns, context, idOf, sortable, view, setView } = props
  const { projectId } = useConnection()
  const [layout, changeLayout] = useTableLayout(name, projectId)
  const { selected, change: select, clear } = useSelection<Row>()
  const scroller = useRef<HTMLDivElement>(null)

  const viewKey = JSON.stringify({ ...view, row: undefined, hidden: undefined })
  const { answer, newerCount, showNewer, follow } = useHeldAnswer(props.answer, viewKey, layout.refreshSeconds > 0, idOf)
  useRefreshEvery(layout.refreshSeconds, props.answer)
  // Drawn in slices after the frame that says what is going on: fifty rows in one task would hold up a slow device.
  const shownRows = useDeferredValue(answer.rows)
  const rows = shownRows ?? noRows
  const model = useColumnModel({ columns, context, rows, idOf, sortable, view, setView, layout, changeLayout })
  const { placed, table, hidden, toggleColumn } = model
  const drawnRows = table.getRowModel().rows

  const text = formatRowRange(answer, view)
  // Where a view is scrolled to and what readers hear of it belong to the document.
  const isSettled = !answer.isFetching && !answer.isPrevious && answer.rows !== undefined
  useEffect(() => {
    if (isSettled) announce(text)
  }, [isSettled, text])
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 })
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another view begins at its top
  }, [viewKey])
  // A copied address must name the columns that this device hides.
  useEffect(() => {
    if (view.hidden === undefined && layout.hidden !== undefined) setView({ hidden: layout.hidden }, { replace: true })
  }, [view.hidden, layout.hidden, setView])

  const { bodyProps, controls, openIndex, focusIndex } = useRowNavigation({
    ids: drawnRows.map(({ id }) => id),
    view,
    setView,
    onToggle: (index) => {
      const row = drawnRows[index]
      if (row) select([row], !selected.has(row.id))
    },
  })

  const save: SaveRows = async (scope, format, { signal, onProgress }) => {
    const { saveRows } = await import('../view/export-rows')
    const batches = scope === 'all' ? props.readAll(signal) : [scope === 'page' ? rows : [...selected.values()]]
    const hiddenButNeeded = columns.filter(({ id, isAlwaysExported }) => isAlwaysExported && hidden.includes(id))
    const exported = [...placed.map(({ column }) => column), ...hiddenButNeeded]
    return saveRows({ name, format, columns: exported, context, batches, signal, onProgress })
  }

  const totalWidth = placed.reduce((sum, { width }) => sum + width, selectionWidth)
  const isLoading = shownRows === undefined && (answer.isFetching || answer.rows !== undefined)
  const hasTools = useIsFirstContentShown()
  // Whether something is on screen is asked by parts outside this tree.
  useEffect(() => {
    if (!isLoading) markFirstContent()
  }, [isLoading])
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-4 pb-2">
        {props.filters}
        {/* The tools come after the first rows; their room is kept. */}
        <div className="ml-auto flex min-h-7 min-w-56 flex-wrap items-center justify-end gap-1 max-sm:w-full">
          <Suspense>
            {hasTools && (
              <TableTools
                columns={columns.slice(1).map(({ id, label: words }) => ({ id, label: words, isShown: !hidden.includes(id) }))}
                onToggleColumn={toggleColumn}
                onResetColumns={() => {
                  changeLayout({ order: [], pinned: [], widths: {}, hidden: undefined })
                  setView({ hidden: undefined })
                }}
                refreshSeconds={layout.refreshSeconds}
                onRefreshSeconds={(refreshSeconds) => changeLayout({ refreshSeconds })}
                newerCount={newerCount}
                onShowNewer={showNewer}
                onRefresh={() => {
                  follow()
                  void props.answer.refetch()
                }}
                selectedCount={selected.size}
                request={props.request}
                save={save}
              />
            )}
          </Suspense>
        </div>
      </div>
      {props.notes}
      {isPartial(answer) && (
        <Suspense>
          <PartialBanner answer={answer} />
        </Suspense>
      )}
      {/* Keyboards scroll it by its rows, which take the focus. */}
      <div
        ref={scroller}
        className="table-scroll"
        onScroll={({ currentTarget }) => currentTarget.toggleAttribute('data-scrolled', currentTarget.scrollLeft > 0)}
      >
        {answer.isFetching && <div className="progress-line sticky" aria-hidden="true" />}
        <table aria-label={label} aria-busy={answer.isFetching} style={{ width: totalWidth }}>
          <TableHead
            model={model}
            context={context}
            hasMenus={hasTools}
            hasRows={drawnRows.length > 0}
            isEverySelected={drawnRows.length > 0 && drawnRows.every(({ id }) => selected.has(id))}
            onSelectAll={(isSelected) => select(drawnRows, isSelected)}
          />
          {/* The rows' own buttons are what is pressed; this hears what bubbles up from them, so that rows need no handlers. */}
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
          <tbody {...bodyProps}>
            {isLoading ? (
              <SkeletonRows most={view.size} placed={placed} />
            ) : (
              drawnRows.map((row, index) => (
                // Keyed by place: rows hold no state, and a drawn row that gets other content is cheaper than a new one.
                <TableRow
                  // oxlint-disable-next-line react/no-array-index-key
                  key={index}
                  row={row.original}
                  id={row.id}
                  index={index}
                  placed={placed}
                  context={context}
                  isSelected={selected.has(row.id)}
                  isOpen={row.id === view.row}
                  isTabStop={index === focusIndex}
                />
              ))
            )}
          </tbody>
        </table>
        {needsMessage(answer) && (
          <Suspense>
            <TableMessage {...props} answer={answer} />
          </Suspense>
        )}
      </div>
      <TableFooter
        answer={answer}
        view={view}
        setView={setView}
        text={text}
        selectedIds={[...selected.keys()]}
        onClearSelection={clear}
      />
      {view.row !== '' && !isLoading && (
        <Suspense fallback={<aside className="row-panel" aria-busy="true" />}>
          {props.renderPanel(drawnRows[openIndex]?.original, view.row, controls)}
        </Suspense>
      )}
    </>
  )
}

const noRows: readonly never[] = []
