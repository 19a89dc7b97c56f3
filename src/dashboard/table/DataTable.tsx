import { lazy, type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react'
import type { ExposedRequest } from '../client/exposed-request'
import { useConnection } from '../client/connection-context'
import { announce } from '../ui/announce'
import { copyText } from '../ui/copy-text'
import { type Answer, hasNothingToShow, isPartial } from './answer'
import type { Column } from './column'
import type { SaveRows } from './ExportMenu'
import { HeaderCell } from './HeaderCell'
import { useHeldAnswer } from './held-answer'
import type { TableView } from './params'
import { rowsText } from './rows-text'
import { rowAction, type RowAction } from './row-keys'
import { SkeletonRows } from './SkeletonRows'
import { TableFooter } from './TableFooter'
import { TableRow } from './TableRow'
import { useTableLayout } from './table-layout'
import { selectionWidth, useColumnModel } from './use-column-model'
import { useRefreshEvery } from './use-refresh-every'
import type { SetView } from './use-view'

const TableTools = lazy(() => import('./TableTools').then((module) => ({ default: module.TableTools })))
const TableMessage = lazy(() => import('./TableMessage').then((module) => ({ default: module.TableMessage })))
const PartialBanner = lazy(() => import('./PartialBanner').then((module) => ({ default: module.PartialBanner })))

/** How a row's panel is closed and moved on; given to whoever draws it. */
export type PanelControls = { close: () => void; step: (by: -1 | 1) => void; canStep: (by: -1 | 1) => boolean }

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
  answer: Answer<Row>
  /** Filters, at the start of the line above the table. */
  filters: ReactNode
  isFiltered: boolean
  onClearFilters: () => void
  /** What to say where the project has no rows at all. */
  whenEmpty: string
  /** Between the toolbar and the table. */
  notes?: ReactNode
  /** The request behind the rows on screen, for copying. */
  request: ExposedRequest
  /** All rows of the view, page after page. */
  readAll: (signal: AbortSignal) => AsyncGenerator<readonly Row[]>
  renderPanel: (row: Row | undefined, id: string, controls: PanelControls) => ReactNode
}

/** THE table: of costs and of threads. Rows come sorted and cut; this draws them, and hears keys and presses. */
export function DataTable<Row extends object, Context>(props: DataTableProps<Row, Context>) {
  const { name, label, columns, context, idOf, sortable, view, setView } = props
  const { projectId } = useConnection()
  const [layout, changeLayout] = useTableLayout(name, projectId)
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map())
  const [focusIndex, setFocusIndex] = useState(0)
  const scroller = useRef<HTMLDivElement>(null)
  const bodyId = useId()

  const viewKey = JSON.stringify({ ...view, row: undefined, hidden: undefined })
  const { answer, newerCount, showNewer, follow } = useHeldAnswer(props.answer, viewKey, layout.refreshSeconds > 0, idOf)
  useRefreshEvery(layout.refreshSeconds, props.answer)
  const rows = answer.rows ?? noRows
  const model = useColumnModel({ columns, context, rows, idOf, sortable, view, setView, layout, changeLayout })
  const { placed, table, hidden } = model
  const drawnRows = table.getRowModel().rows

  const text = rowsText(answer, view)
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

  const openIndex = view.row === '' ? -1 : drawnRows.findIndex(({ id }) => id === view.row)
  const focusRow = (index: number, options?: FocusOptions) => {
    setFocusIndex(index)
    rowOf(bodyId, index)?.querySelector<HTMLElement>('[data-row-button]')?.focus(options)
  }
  const open = (index: number) => {
    const row = drawnRows[index]
    if (row && row.id !== view.row) setView({ row: row.id }, { replace: view.row !== '' })
  }
  const close = () => {
    setView({ row: '' })
    focusRow(openIndex < 0 ? 0 : openIndex, { preventScroll: true })
  }
  const toggle = (index: number) => {
    const row = drawnRows[index]
    if (!row) return
    const next = new Map(selected)
    if (!next.delete(row.id)) next.set(row.id, row.original)
    setSelected(next)
    announce(`${next.has(row.id) ? 'Selected' : 'Not selected'}, ${next.size} in all`)
  }
  const perform = (action: RowAction, index: number) => {
    switch (action.kind) {
      case 'focus':
        return focusRow(action.index)
      case 'open':
        focusRow(action.index)
        return open(action.index)
      case 'select':
        return toggle(index)
      case 'copy':
        return void copyText(drawnRows[index]?.id ?? '').then((isCopied) => announce(isCopied ? 'Id copied' : 'Copying failed'))
      case 'close':
        return close()
    }
  }
  const controls: PanelControls = {
    close,
    canStep: (by) => openIndex >= 0 && drawnRows[openIndex + by] !== undefined,
    step: (by) => {
      const next = openIndex + by
      if (openIndex < 0 || !drawnRows[next])
        return announce(by < 0 ? 'This is the first row of the page' : 'This is the last row of the page')
      setFocusIndex(next)
      open(next)
      rowOf(bodyId, next)?.scrollIntoView({ block: 'nearest' })
    },
  }

  const save: SaveRows = async (scope, format, { signal, onProgress }) => {
    const { saveRows } = await import('./export-rows')
    const batches = scope === 'all' ? props.readAll(signal) : [scope === 'page' ? rows : [...selected.values()]]
    const exported = columns.filter(({ id, isAlwaysExported }) => isAlwaysExported || !hidden.includes(id))
    return saveRows({ name, format, columns: exported, context, batches, signal, onProgress })
  }

  const elasticId = layout.pinned.length > 0 ? placed.at(-1)?.column.id : placed[0]?.column.id
  const totalWidth = placed.reduce((sum, { width }) => sum + width, selectionWidth)
  const isLoading = answer.rows === undefined && answer.isFetching
  const isEverySelected = drawnRows.length > 0 && drawnRows.every(({ id }) => selected.has(id))
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-4 pb-2">
        {props.filters}
        {/* The tools come after the first rows; their room is kept. */}
        <div className="ml-auto flex min-h-7 min-w-56 flex-wrap items-center justify-end gap-1">
          {!isLoading && (
            <Suspense>
              <TableTools
                columns={columns.slice(1).map(({ id, label: words }) => ({ id, label: words, isShown: !hidden.includes(id) }))}
                onToggleColumn={(id) => table.getColumn(id)?.toggleVisibility()}
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
            </Suspense>
          )}
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
          <thead>
            <tr>
              <th
                scope="col"
                data-label=""
                className="head-cell select-head is-pinned"
                style={{ width: selectionWidth, left: 0 }}
              >
                <input
                  type="checkbox"
                  aria-label="Select all rows of this page"
                  checked={isEverySelected}
                  disabled={drawnRows.length === 0}
                  onChange={() => {
                    const next = new Map(selected)
                    for (const { id, original } of drawnRows) {
                      if (isEverySelected) next.delete(id)
                      else next.set(id, original)
                    }
                    setSelected(next)
                  }}
                  className="block size-3.5 cursor-pointer accent-accent"
                />
              </th>
              {placed.map((own) => (
                <HeaderCell
                  key={own.column.id}
                  placed={own}
                  context={context}
                  model={model}
                  hasMenu={!isLoading}
                  isElastic={own.column.id === elasticId && layout.widths[own.column.id] === undefined}
                />
              ))}
            </tr>
          </thead>
          {/* The rows' own buttons are what is pressed; this hears what bubbles up from them, so that rows need no handlers. */}
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
          <tbody
            id={bodyId}
            onFocus={({ target }) => setFocusIndex(indexOf(target) ?? 0)}
            onKeyDown={(event) => {
              const index = indexOf(event.target)
              const isOnRow = event.target instanceof Element && event.target.matches('[data-row-button], [data-select]')
              if (index === undefined || !isOnRow) return
              const action = rowAction(event, index, drawnRows.length, view.row !== '')
              if (!action) return
              event.preventDefault()
              perform(action, index)
            }}
            onClick={({ target }) => {
              const index = indexOf(target)
              if (index === undefined || !(target instanceof Element)) return
              if (target.closest('[data-select]')) toggle(index)
              else if (!target.closest('a, input, button:not([data-row-button])') && isNoTextMarked()) open(index)
            }}
          >
            {isLoading ? (
              <SkeletonRows count={Math.min(view.size, 50)} placed={placed} />
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
                  isTabStop={index === Math.min(focusIndex, drawnRows.length - 1)}
                />
              ))
            )}
          </tbody>
        </table>
        {hasNothingToShow(answer) && (
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
        onClearSelection={() => setSelected(new Map())}
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

function rowOf(bodyId: string, index: number): Element | null | undefined {
  return document.getElementById(bodyId)?.querySelector(`[data-index="${index}"]`)
}

function indexOf(target: EventTarget): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-index]') : null
  return row ? Number(row.dataset['index']) : undefined
}

/** Marking text in a row to copy it must not open the row. */
function isNoTextMarked(): boolean {
  return getSelection()?.isCollapsed ?? true
}
