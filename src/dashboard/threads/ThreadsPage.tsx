import { Suspense, useCallback, useMemo, useState } from 'react'
import { lazyPart } from '../client/lazy-part'
import { Link } from 'wouter'
import { type ReceivedThread, receiveThreads } from '../../contract/received-threads'
import { threadSortFields } from '../../contract/threads'
import { usesSession } from '../client/connection'
import { useConnection } from '../client/connection-context'
import { streamedRows } from '../client/streamed-rows'
import { usePreferences } from '../format/preferences'
import { DataTable } from '../table/grid/DataTable'
import { SavedViews } from '../table/saved-views/lazy-saved-views'
import { useRemoteTable } from '../table/view/use-remote-table'
import { useUrlState } from '../table/view/use-url-state'
import { useIsFirstContentShown } from '../ui/first-content'
import { PageHeader } from '../ui/PageHeader'
import { getBarScaleMs } from './bar-scale'
import { threadColumns, threadColumnsWithUsage, type ThreadDisplay } from './thread-columns'
import { hasThreadFilters, hasTimeFilter, noThreadFilters, threadFilter, threadParams, windowLagMs } from './thread-view'
import { MissingThreads } from './MissingThreads'
import { ThreadFilters } from './ThreadFilters'
import { noTurn, turnParams } from './turns/turn-params'
import { useThreadUsage } from './use-thread-usage'
import { getCommonCurrency } from './UsageCell'
import { WindowNote } from './WindowNote'

const ThreadPanel = lazyPart(async () => (await import('./ThreadPanel')).ThreadPanel)

const threadTable = {
  name: 'threads',
  label: 'Threads',
  columns: threadColumns,
  getRowId: ({ thread_id }: ReceivedThread) => thread_id,
  source: streamedRows(receiveThreads),
  sortableIds: threadSortFields,
  exportPageSize: 2000,
}
/** The turn that is open is no more part of a view than the row is. */
const paramNames = Object.keys(threadParams).filter((name) => !(name in turnParams))
const threadTableWithUsage = { ...threadTable, columns: threadColumnsWithUsage }

export function ThreadsPage() {
  const [view, setParams] = useUrlState(threadParams)
  const setView = useCallback<typeof setParams>(
    // Another thread has other turns.
    (change, options) => setParams('row' in change ? { ...noTurn, ...change } : change, options),
    [setParams],
  )
  const { zone } = usePreferences()
  const connection = useConnection()
  const isFirstContentShown = useIsFirstContentShown()
  // The end of windows such as "the last hour". It moves with a refresh, not with every render.
  const [windowEnd, setWindowEnd] = useState(() => Date.now())
  const table = useRemoteTable(usesSession(connection) ? threadTableWithUsage : threadTable, {
    view,
    setView,
    toInput: (page) => ({ ...page, filter: threadFilter(view, windowEnd) }),
    onRefetch: () => {
      const now = Date.now()
      const isLagging = now - windowEnd > windowLagMs(view)
      if (isLagging) setWindowEnd(now)
      return isLagging
    },
  })
  const { rows, hasMore, isComplete, isFetching, isPlaceholder } = table.data
  const isWholeList = view.page === 1 && !hasMore && isComplete && !isPlaceholder
  const usage = useThreadUsage(rows, !isFetching)
  const isTimeFiltered = hasTimeFilter(view)
  const display = useMemo(
    (): ThreadDisplay => ({
      zone,
      now: table.lastUpdatedAt,
      slowMs: view.slow,
      scaleMs: getBarScaleMs(rows ?? []),
      isTimeFiltered,
      usage,
      currency: usage && getCommonCurrency(usage.values()),
    }),
    [zone, table.lastUpdatedAt, view.slow, rows, isTimeFiltered, usage],
  )
  return (
    <div className="table-page">
      <PageHeader title="Threads">
        <Suspense>{isFirstContentShown && <SavedViews page="threads" paramNames={paramNames} />}</Suspense>
      </PageHeader>
      <DataTable
        table={table}
        display={display}
        filters={<ThreadFilters view={view} setView={setView} />}
        onClearFilters={hasThreadFilters(view) ? () => setView(noThreadFilters) : undefined}
        notes={
          <>
            {isTimeFiltered && <WindowNote view={view} zone={zone} />}
            {view.thread.length > 0 && (
              <MissingThreads
                ids={view.thread}
                filter={threadFilter(view, windowEnd)}
                allRows={isWholeList ? rows : undefined}
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
        renderPanel={(thread, id, controls) => (
          <ThreadPanel
            rowOnPage={thread}
            id={id}
            controls={controls}
            rows={rows ?? []}
            display={display}
            turnWindow={isTimeFiltered ? threadFilter(view, windowEnd) : undefined}
            onOpen={(row) => setView({ row }, { replace: true })}
          />
        )}
      />
    </div>
  )
}
