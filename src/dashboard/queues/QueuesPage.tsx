import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { queryQueueStats } from '../../contract/queue-items'
import { type Queue, queueSortFields, streamQueues } from '../../contract/queues'
import { NotFoundError } from '../client/api-error'
import { usesSession } from '../client/connection'
import { useConnection } from '../client/connection-context'
import { refetchShown } from '../client/refetch-operation'
import { streamedRows } from '../client/streamed-rows'
import { usePreferences } from '../format/preferences'
import { DataTable } from '../table/grid/DataTable'
import { TableNote } from '../table/grid/TableNote'
import { enumParam, stringParam, tableParams } from '../table/view/url-params'
import { useDebouncedText } from '../table/view/use-debounced-text'
import { useRemoteTable } from '../table/view/use-remote-table'
import { useUrlState } from '../table/view/use-url-state'
import { Button } from '../ui/Button'
import { buttonClass } from '../ui/button-class'
import { Icon } from '../ui/Icon'
import { PageHeader } from '../ui/PageHeader'
import { SearchInput } from '../ui/SearchInput'
import { DeletedQueueNotice } from './detail/DeletedQueueNotice'
import { EmptyQueues } from './detail/EmptyQueues'
import { toQueueHref } from './detail/queue-hrefs'
import { useHasReviews } from './detail/use-has-reviews'
import { useQueueStats } from './detail/use-queue-stats'
import { queueColumns, type QueueDisplay } from './queue-columns'
import { UnlistedQueues } from './UnlistedQueues'

const queueParams = {
  ...tableParams(
    queueColumns.map(({ id }) => id),
    [{ id: 'created_at', direction: 'desc' }],
  ),
  /** A part of the name, in any case. */
  name: stringParam(255),
  show: enumParam(['active', 'archived'], 'active'),
}

const queueTable = {
  name: 'queues',
  label: 'Annotation queues',
  topic: 'queues' as const,
  updatesInPlace: true,
  columns: queueColumns,
  minFirstWidth: 224,
  getRowId: ({ id }: Queue) => id,
  getRowName: ({ name }: Queue) => name,
  rowHref: ({ id }: Queue) => toQueueHref(id),
  source: streamedRows(streamQueues),
  sortableIds: queueSortFields,
  exportPageSize: 1000,
  // People often come here to see the queue that they have just created.
  refetchOnMount: 'always' as const,
}
/** Of another service nobody knows what asking it every few seconds costs. */
const liveQueueTable = { ...queueTable, isLiveByDefault: true }
/** Without what only services that give out items say of queues. */
const plainQueueTable = { ...queueTable, columns: queueColumns.filter(({ id }) => !['review', 'pace', 'people'].includes(id)) }

export function QueuesPage() {
  const [view, setView] = useUrlState(queueParams)
  const connection = useConnection()
  const { zone } = usePreferences()
  const queryClient = useQueryClient()
  const hasReviews = useHasReviews()
  const isArchived = view.show === 'archived'
  const [name, setName] = useDebouncedText(view.name, (text) => setView({ name: text }, { replace: true }))
  const table = useRemoteTable(!hasReviews ? plainQueueTable : usesSession(connection) ? liveQueueTable : queueTable, {
    view,
    setView,
    // Other services refuse a field that they do not know.
    toInput: (page) => ({ ...page, ...(view.name && { name: view.name }), ...(isArchived && { archived: true }) }),
    onRefetch: () => {
      void refetchShown(queryClient, queryQueueStats)
      return false
    },
  })
  const { rows } = table.data
  const ids = useMemo(() => (rows ?? []).map(({ id }) => id), [rows])
  const stats = useQueueStats(ids)
  const statsById = stats.byId ?? (stats.error ? noStats : undefined)
  const display = useMemo((): QueueDisplay => ({ zone, now: stats.readAt, stats: statsById }), [zone, stats.readAt, statsById])
  return (
    <div className="table-page">
      <PageHeader title="Queues">
        <Link href="/queues/new" className={buttonClass('primary')}>
          <Icon name="plus" />
          New queue
        </Link>
      </PageHeader>
      <DeletedQueueNotice onRestored={table.refresh} />
      {table.data.error instanceof NotFoundError ? (
        <UnlistedQueues />
      ) : (
        <DataTable
          table={table}
          display={display}
          filters={
            <>
              <SearchInput label="Filter by name" value={name} onChange={setName} className="w-56 max-sm:w-full" />
              {(hasReviews || isArchived) && (
                <Button aria-pressed={isArchived} onClick={() => setView({ show: isArchived ? 'active' : 'archived' })}>
                  Archived
                </Button>
              )}
            </>
          }
          onClearFilters={view.name === '' && !isArchived ? undefined : () => setView({ name: '', show: 'active' })}
          notes={
            stats.error && (
              <TableNote tone="warning">
                {stats.error instanceof NotFoundError
                  ? 'This service does not count the items of queues: it has no /annotation_queues/stats.'
                  : `How far the queues are could not be read. ${stats.error.message}`}
              </TableNote>
            )
          }
          emptyMessage={<EmptyQueues canArchive={hasReviews === true} />}
        />
      )}
    </div>
  )
}

const noStats: QueueDisplay['stats'] = new Map()
