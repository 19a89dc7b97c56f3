import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { lazyPart, loadPart } from '../client/lazy-part'
import { refetchShown } from '../client/refetch-operation'
import { Link } from 'wouter'
import { usePreferences } from '../format/preferences'
import { DataTable } from '../table/grid/DataTable'
import { AddToQueue } from '../table/add-to-queue/lazy-add-to-queue'
import { SavedViews } from '../table/saved-views/lazy-saved-views'
import { liveRefresh } from '../table/view/table-layout'
import { useRemoteTable } from '../table/view/use-remote-table'
import { updateSearch } from '../table/view/url-params'
import { useUrlState } from '../table/view/use-url-state'
import { useIsFirstContentShown } from '../ui/first-content'
import { TableNote } from '../table/grid/TableNote'
import { PageHeader } from '../ui/PageHeader'
import { getBarScaleMs } from './bar-scale'
import { findChanges } from './visit/last-visit'
import type { ListedThread, ThreadDisplay } from './thread-columns'
import { listTable, listWithCallsTable, searchTable } from './thread-tables'
import {
  callFilter,
  hasCallFilters,
  hasThreadFilters,
  hasTimeFilter,
  hasWord,
  needsSearch,
  noThreadFilters,
  noWordMessage,
  threadFilter,
  threadParams,
  windowLagMs,
} from './thread-view'
import { MissingThreads } from './MissingThreads'
import { ThreadFilters } from './ThreadFilters'
import { noTurn, turnParams } from './turns/turn-params'
import { useCallFigures } from './use-call-figures'
import { useCanSearch } from './use-can-search'
import { useLastVisit } from './visit/use-last-visit'
import { getCommonCurrency } from './UsageCell'
import { useOverviewState } from './use-overview-state'
import { WindowNote } from './WindowNote'

const ThreadOverview = lazyPart(async () => (await import('./shape/ThreadOverview')).ThreadOverview)
const ThreadPanel = lazyPart(async () => (await import('./ThreadPanel')).ThreadPanel)

function findThreadChanges(rows: readonly ListedThread[], sinceMs: number | null) {
  const toMs = (iso: string | null) => (iso === null ? null : Date.parse(iso))
  const dated = rows.map((row) => ({ id: row.thread_id, startMs: toMs(row.start_time), updatedMs: toMs(row.last_updated) }))
  return findChanges(dated, sinceMs)
}

// What is shown beside the rows. Its parts are not loaded with the page.
const pathsBeside = ['/threads/shape', '/threads/history', '/threads/matching_calls'] as const

/** The turn that is open is no more part of a view than the row is. */
const paramNames = Object.keys(threadParams).filter((name) => !(name in turnParams))

export function ThreadsPage() {
  const [view, setParams] = useUrlState(threadParams)
  const setView = useCallback<typeof setParams>(
    // Another thread has other turns.
    (change, options) => setParams('row' in change ? { ...noTurn, ...change } : change, options),
    [setParams],
  )
  const { zone } = usePreferences()
  const queryClient = useQueryClient()
  const isFirstContentShown = useIsFirstContentShown()
  // With the tools of the table, before all other files: rows open also when the server goes away at once.
  useEffect(() => {
    if (isFirstContentShown) void loadPart(ThreadPanel.preload)
  }, [isFirstContentShown])
  const [isSearchAsked, setIsSearchAsked] = useState(false)
  const canSearch = useCanSearch(isSearchAsked || needsSearch(view))
  const isSearch = canSearch === true && needsSearch(view)
  // The end of windows such as "the last hour". It moves with a refresh, not with every render.
  const [windowEnd, setWindowEnd] = useState(() => Date.now())
  const table = useRemoteTable(isSearch ? searchTable : canSearch ? listWithCallsTable : listTable, {
    view,
    setView,
    toInput: (page) => ({ ...page, filter: { ...threadFilter(view, windowEnd), ...(isSearch && callFilter(view)) } }),
    // Sorted by figures of calls, the rows come from another operation.
    isSameList: (next) => needsSearch({ ...view, ...next }) === needsSearch(view),
    onRefetch: () => {
      // It belongs to the rows.
      for (const path of pathsBeside) void refetchShown(queryClient, { path })
      const now = Date.now()
      const isLagging = now - windowEnd > windowLagMs(view)
      if (isLagging) setWindowEnd(now)
      return isLagging
    },
  })
  const { rows, hasMore, isComplete, isFetching, isPlaceholder } = table.data
  const isWholeList = view.page === 1 && !hasMore && isComplete && !isPlaceholder
  const { thread_ids: _, ...bounds } = threadFilter(view, windowEnd)
  const {
    byThread: figures,
    isRead: areFiguresRead,
    error: figuresError,
  } = useCallFigures(rows, {
    canSearch: canSearch === true,
    isReady: !isFetching && !isPlaceholder,
    isPlaceholder,
    bounds,
  })
  const isTimeFiltered = hasTimeFilter(view)
  const sinceMs = useLastVisit(table.lastUpdatedAt)
  const changes = useMemo(() => findThreadChanges(rows ?? [], sinceMs), [rows, sinceMs])
  const overview = useOverviewState(view, setView)
  const emptyOverview = <div className="thread-overview" data-open={overview.isOpen ? view.show : undefined} />
  const display = useMemo(
    (): ThreadDisplay => ({
      zone,
      now: table.lastUpdatedAt,
      slowMs: view.slow,
      slowP50Ms: view.slow50 || view.slow,
      scaleMs: getBarScaleMs(rows ?? []),
      isTimeFiltered,
      figures,
      areFiguresRead,
      figuresError,
      changes,
      currency: figures && getCommonCurrency(figures.values()),
    }),
    [zone, table.lastUpdatedAt, view.slow, view.slow50, rows, isTimeFiltered, figures, areFiguresRead, figuresError, changes],
  )
  const toEvidence = (selectedIds: readonly string[]) => ({
    kind: 'threads' as const,
    filter: { ...threadFilter(view, windowEnd), ...(canSearch && callFilter(view)) },
    selectedIds,
  })
  return (
    <div className="table-page">
      <PageHeader title="Threads">
        <Suspense>
          {/* What comes later stands before: nothing moves. */}
          {isFirstContentShown && <SavedViews page="threads" paramNames={paramNames} />}
          {isFirstContentShown && <AddToQueue evidence={toEvidence([...table.selected.keys()])} />}
        </Suspense>
      </PageHeader>
      <DataTable
        table={table}
        display={display}
        filters={<ThreadFilters view={view} setView={setView} canSearch={canSearch} onAskSearch={() => setIsSearchAsked(true)} />}
        overview={
          (rows?.length !== 0 || hasThreadFilters(view)) && (
            <Suspense fallback={emptyOverview}>
              {isFirstContentShown ? (
                <ThreadOverview
                  view={view}
                  setView={setView}
                  filter={{ ...threadFilter(view, windowEnd), ...callFilter(view) }}
                  toThreadHref={toPanelHref}
                  areRowsComing={isFetching && (isPlaceholder || rows === undefined) && table.data.error === null}
                  isOpen={overview.isOpen}
                  onToggle={overview.toggle}
                />
              ) : (
                emptyOverview
              )}
            </Suspense>
          )
        }
        onClearFilters={hasThreadFilters(view) ? () => setView(noThreadFilters) : undefined}
        notes={
          <>
            {hasCallFilters(view) && canSearch !== true && (
              <TableNote tone="warning">
                {canSearch === undefined
                  ? 'Asking whether this service can search threads…'
                  : 'This service cannot search threads: it has no /threads/search. The filters by words and calls are not applied.'}
              </TableNote>
            )}
            {view.text !== '' && !hasWord(view.text) && <TableNote tone="warning">{noWordMessage}</TableNote>}
            {isTimeFiltered && <WindowNote view={view} zone={zone} />}
            {view.thread.length > 0 && (
              <MissingThreads
                ids={view.thread}
                filter={threadFilter(view, windowEnd)}
                allRows={isWholeList && !hasCallFilters(view) ? rows : undefined}
                hasTimeFilter={isTimeFiltered}
              />
            )}
          </>
        }
        emptyMessage={
          <>
            No thread has a turn yet. Send calls that carry a thread id, and their threads appear here:{' '}
            <Link href="/send" className="text-accent underline">
              how to send data
            </Link>
          </>
        }
        renderSelectionActions={(ids) => <AddToQueue variant="quiet" evidence={toEvidence(ids)} />}
        renderPanel={(thread, id, controls) => (
          <ThreadPanel
            rowOnPage={thread}
            id={id}
            controls={controls}
            rows={rows ?? []}
            display={display}
            turnWindow={isTimeFiltered ? threadFilter(view, windowEnd) : undefined}
            filter={isSearch ? { ...threadFilter(view, windowEnd), ...callFilter(view) } : {}}
            isLive={table.layout.refreshSeconds === liveRefresh}
            onOpen={(row) => setView({ row }, { replace: true })}
          />
        )}
      />
    </div>
  )
}

/** The address of this view with another thread open. */
function toPanelHref(row: string): string {
  return `/threads?${updateSearch(threadParams, location.search, { ...noTurn, row })}`
}
