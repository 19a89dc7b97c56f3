import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { streamThreads, type Thread, threadSortFields } from '../../contract/threads'
import { useConnection } from '../client/connection-context'
import { usePreferences } from '../format/preferences'
import { streamQuery } from '../client/endpoint-query'
import { allPages } from '../table/view/all-pages'
import { DataTable } from '../table/grid/DataTable'
import { usePageAnswer } from '../table/view/use-page-answer'
import { useLastUpdatedAt } from '../table/view/use-seen-at'
import { useUrlState } from '../table/view/use-url-state'
import { PageHeader } from '../ui/PageHeader'
import { getBarScaleMs } from './bar-scale'
import { renderThreadPanel } from './render-thread-panel'
import { threadColumns, type ThreadDisplay } from './thread-columns'
import { hasTimeFilter, hasThreadFilters, noThreadFilters, threadFilter, threadParams, windowLagMs } from './thread-view'
import { ThreadFilters } from './ThreadFilters'
import { WindowNote } from './WindowNote'

const howToBegin = (
  <>
    No thread has a turn yet. Send calls that carry a thread id, and their threads appear here:{' '}
    <Link href="/send" className="text-accent underline">
      how to send data
    </Link>
  </>
)
const sortable: ReadonlySet<string> = new Set(threadSortFields)
const idOf = ({ thread_id }: Thread) => thread_id

export function ThreadsPage() {
  const [view, setView] = useUrlState(threadParams)
  const connection = useConnection()
  const queryClient = useQueryClient()
  const { zone } = usePreferences()
  // What "the last hour" ends at: it moves on with a refresh, not with every drawing.
  const [anchor, setAnchor] = useState(() => Date.now())

  const sort_by = view.sort.flatMap(({ id, direction }) => {
    const field = threadSortFields.find((name) => name === id)
    return field ? [{ field, direction }] : []
  })
  const common = {
    project_id: connection.projectId,
    filter: threadFilter(view, anchor),
    ...(sort_by.length > 0 && { sort_by }),
  }
  const input = { ...common, limit: view.size + 1, offset: (view.page - 1) * view.size }
  const options = streamQuery(streamThreads, input, connection)
  const query = useQuery({ ...options, placeholderData: keepPreviousData })

  const answer = usePageAnswer(query, {
    rows: query.data?.rows,
    size: view.size,
    isComplete: query.data?.isComplete ?? false,
    brokenLines: query.data?.brokenLines,
    cancel: () => void queryClient.cancelQueries({ queryKey: options.queryKey }, { revert: false }),
  })
  const { rows } = answer
  const seenAt = useLastUpdatedAt(query.dataUpdatedAt)
  const context = useMemo(
    (): ThreadDisplay => ({
      zone,
      now: seenAt,
      slowMs: view.slow,
      scaleMs: getBarScaleMs(rows ?? []),
    }),
    [zone, seenAt, view.slow, rows],
  )
  const refetch = () => {
    const now = Date.now()
    if (now - anchor <= windowLagMs(view)) return query.refetch()
    setAnchor(now)
    return Promise.resolve()
  }
  return (
    <div className="table-page">
      <PageHeader title="Threads" />
      <DataTable
        name="threads"
        label="Threads"
        columns={threadColumns}
        context={context}
        idOf={idOf}
        sortable={sortable}
        view={view}
        setView={setView}
        answer={{ ...answer, refetch }}
        filters={<ThreadFilters view={view} setView={setView} />}
        isFiltered={hasThreadFilters(view)}
        onClearFilters={() => setView(noThreadFilters)}
        whenEmpty={howToBegin}
        notes={hasTimeFilter(view) && <WindowNote view={view} zone={zone} />}
        request={{ endpoint: streamThreads, input }}
        readAll={(signal) =>
          allPages(2000, signal, async (page) => {
            const part = await queryClient.fetchQuery({
              ...streamQuery(streamThreads, { ...common, ...page }, connection),
              gcTime: 0,
            })
            return part.rows
          })
        }
        renderPanel={(thread, id, controls) => renderThreadPanel({ thread, id, controls, rows: rows ?? [], context, setView })}
      />
    </div>
  )
}
