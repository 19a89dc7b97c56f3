import { useMemo } from 'react'
import { Link } from 'wouter'
import { type Queue, queueSortFields, streamQueues } from '../../contract/queues'
import { NotFoundError } from '../client/api-error'
import { useConnection } from '../client/connection-context'
import { streamedRows } from '../client/streamed-rows'
import { ForeignText } from '../format/ForeignText'
import { usePreferences } from '../format/preferences'
import { DataTable } from '../table/grid/DataTable'
import { stringParam, tableParams } from '../table/view/url-params'
import { useDebouncedText } from '../table/view/use-debounced-text'
import { useRemoteTable } from '../table/view/use-remote-table'
import { useUrlState } from '../table/view/use-url-state'
import { buttonClass } from '../ui/button-class'
import { Icon } from '../ui/Icon'
import { PageHeader } from '../ui/PageHeader'
import { SearchInput } from '../ui/SearchInput'
import { queueColumns } from './queue-columns'
import { UnlistedQueues } from './UnlistedQueues'

const queueParams = {
  ...tableParams(
    queueColumns.map(({ id }) => id),
    [{ id: 'created_at', direction: 'desc' }],
  ),
  /** A part of the name, in any case. */
  name: stringParam(255),
}

const queueTable = {
  name: 'queues',
  label: 'Annotation queues',
  topic: 'queues' as const,
  columns: queueColumns,
  getRowId: ({ id }: Queue) => id,
  rowHref: ({ id }: Queue) => `/queues/${encodeURIComponent(id)}`,
  source: streamedRows(streamQueues),
  sortableIds: queueSortFields,
  exportPageSize: 1000,
  // People often come here to see the queue that they have just created.
  refetchOnMount: 'always' as const,
}

export function QueuesPage() {
  const [view, setView] = useUrlState(queueParams)
  const { projectId } = useConnection()
  const { zone } = usePreferences()
  const [name, setName] = useDebouncedText(view.name, (text) => setView({ name: text }, { replace: true }))
  const table = useRemoteTable(queueTable, {
    view,
    setView,
    toInput: (page) => ({ ...page, ...(view.name && { name: view.name }) }),
  })
  const display = useMemo(() => ({ zone }), [zone])
  return (
    <div className="table-page">
      <PageHeader title="Queues">
        <Link href="/queues/new" className={buttonClass('primary')}>
          <Icon name="plus" />
          New queue
        </Link>
      </PageHeader>
      {table.data.error instanceof NotFoundError ? (
        <UnlistedQueues />
      ) : (
        <DataTable
          table={table}
          display={display}
          filters={<SearchInput label="Filter by name" value={name} onChange={setName} className="w-56 max-sm:w-full" />}
          onClearFilters={view.name === '' ? undefined : () => setView({ name: '' })}
          emptyMessage={
            <>
              <ForeignText text={projectId} /> has no annotation queue yet. A queue collects calls for people to review with
              scorers:{' '}
              <Link href="/queues/new" className="text-accent underline">
                create the first queue
              </Link>
            </>
          }
        />
      )}
    </div>
  )
}
