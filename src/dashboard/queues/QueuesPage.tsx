import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'wouter'
import { streamQueues } from '../../contract/queues'
import { NotFoundError } from '../client/api-error'
import { useConnection } from '../client/connection-context'
import { streamQuery } from '../client/endpoint-query'
import { Banner } from '../ui/Banner'
import { Button } from '../ui/Button'
import { buttonClass } from '../ui/button-class'
import { EmptyState } from '../ui/EmptyState'
import { Icon } from '../ui/Icon'
import { moreIcons } from '../ui/more-icons'
import { PageHeader } from '../ui/PageHeader'
import { SearchInput } from '../ui/SearchInput'
import { Skeleton } from '../ui/Skeleton'
import { ListFailure } from './ListFailure'
import { QueueTable } from './QueueTable'
import { UnlistedQueues } from './UnlistedQueues'

const pageSize = 50

/** The project's queues, newest first. `?name=` filters, `?page=` pages. */
export function QueuesPage() {
  const connection = useConnection()
  const [search, setSearch] = useSearchParams()
  const name = search.get('name') ?? ''
  const page = Math.max(1, Math.floor(Number(search.get('page'))) || 1)

  // One more than is shown tells whether more follow: the wire has no total.
  const input = {
    project_id: connection.projectId,
    limit: pageSize + 1,
    offset: (page - 1) * pageSize,
    ...(name && { name }),
  }
  const list = useQuery({
    ...streamQuery(streamQueues, input, connection),
    placeholderData: keepPreviousData,
    // Somebody comes here to see the queue they have just made.
    refetchOnMount: 'always',
  })
  const rows = list.data?.rows ?? []
  const brokenCount = list.data?.brokenLines.length ?? 0
  const shown = rows.slice(0, pageSize)
  const hasMore = rows.length > pageSize

  const go = (change: { name?: string; page?: number }) => {
    const next = { name, page: 1, ...change }
    setSearch(
      { ...(next.name && { name: next.name }), ...(next.page > 1 && { page: String(next.page) }) },
      { replace: change.page === undefined },
    )
  }
  const isUnknownOperation = list.error instanceof NotFoundError

  return (
    <>
      <PageHeader title="Queues">
        {!isUnknownOperation && (
          <SearchInput
            label="Filter by name"
            value={name}
            onChange={(typed) => go({ name: typed })}
            className="w-56 max-sm:w-36"
          />
        )}
        <Link href="/queues/new" className={buttonClass('primary')}>
          <Icon name={moreIcons.plus} />
          New queue
        </Link>
      </PageHeader>
      {list.error && !isUnknownOperation && (
        <ListFailure error={list.error} isPartial={rows.length > 0} onRetry={() => void list.refetch()} />
      )}
      {brokenCount > 0 && (
        <Banner tone="warn" className="mx-4 mb-3" title={`${brokenCount} of the answer’s lines could not be read`} />
      )}
      {isUnknownOperation ? (
        <UnlistedQueues />
      ) : list.error && rows.length === 0 ? null : list.isPending ? (
        <output aria-label="Loading" className="block border-t border-line px-4 py-3">
          <Skeleton className="h-3 w-64" />
        </output>
      ) : shown.length > 0 ? (
        <QueueTable queues={shown} />
      ) : name ? (
        <EmptyState action={<Button onClick={() => go({ name: '' })}>Clear the filter</Button>}>
          No queue of this project has “{name}” in its name.
        </EmptyState>
      ) : page > 1 ? (
        <EmptyState action={<Button onClick={() => go({ page: 1 })}>To the first page</Button>}>
          The list ends before this page.
        </EmptyState>
      ) : (
        <EmptyState
          action={
            <Link href="/queues/new" className={buttonClass('primary')}>
              Create the first queue
            </Link>
          }
        >
          {connection.projectId} has no annotation queue yet. A queue collects turns for people to review against scorers.
        </EmptyState>
      )}
      {(shown.length > 0 || page > 1) && !isUnknownOperation && (
        <footer className="flex flex-wrap items-center justify-between gap-2 px-4 py-2 text-quiet">
          <output className="tabular-nums">
            {shown.length > 0 &&
              `Queues ${(page - 1) * pageSize + 1}–${(page - 1) * pageSize + shown.length}, ${hasMore ? 'more follow' : 'end of list'}`}
          </output>
          {(page > 1 || hasMore) && (
            <nav aria-label="Pages of the list" className="flex gap-2">
              <Button icon="chevron-left" disabled={page <= 1} onClick={() => go({ page: page - 1 })}>
                Previous
              </Button>
              <Button icon="chevron-right" disabled={!hasMore} onClick={() => go({ page: page + 1 })}>
                Next
              </Button>
            </nav>
          )}
        </footer>
      )}
    </>
  )
}
