import { type ReactNode, Suspense, useState } from 'react'
import { Link, useParams } from 'wouter'
import { type Queue, readQueue } from '../../contract/queues'
import { NotFoundError } from '../client/api-error'
import { usesSession } from '../client/connection'
import { useConnection } from '../client/connection-context'
import { endpointQuery } from '../client/endpoint-query'
import { lazyPart } from '../client/lazy-part'
import { ForeignText } from '../format/ForeignText'
import { formatVisibleText } from '../format/visible-text'
import { PartFallback } from '../table/grid/PartFallback'
import { useLiveRows } from '../table/grid/use-live-rows'
import { useSteadyQuery } from '../table/view/use-steady-query'
import { useUrlState } from '../table/view/use-url-state'
import { buttonClass } from '../ui/button-class'
import { Chip } from '../ui/Chip'
import { CopyButton } from '../ui/CopyButton'
import { EmptyState } from '../ui/EmptyState'
import { usePageName } from '../ui/page-name'
import { PageHeader } from '../ui/PageHeader'
import { Segmented } from '../ui/Segmented'
import { Skeleton } from '../ui/Skeleton'
import { AddItemsButton } from './add-items/AddItemsButton'
import { DeletedQueueNotice } from './detail/DeletedQueueNotice'
import { QueueActions } from './detail/QueueActions'
import { QueueFigures } from './detail/QueueFigures'
import { QueueItems } from './detail/QueueItems'
import { queueViewParams } from './detail/queue-view'
import { useCanChangeQueues } from './detail/use-can-change-queues'
import { useHasReviews } from './detail/use-has-reviews'
import { useQueueStats } from './detail/use-queue-stats'
import { ListFailure } from './detail/ListFailure'
import type { ScorerNotice } from './scorers/QueueScorers'

const QueueResults = lazyPart(async () => (await import('./results/QueueResults')).QueueResults)
const QueueScorers = lazyPart(async () => (await import('./scorers/QueueScorers')).QueueScorers)

/** Where a service does not say which of the two it is. */
const missingQueue = 'This service has no such queue any more, or cannot show a single one: it has no /annotation_queues/….'

/** One queue: how far it is, its items, and its scorers. */
export function QueuePage() {
  const { id = '' } = useParams()
  const connection = useConnection()
  const {
    data: shown,
    isPrevious,
    error,
    refetch,
  } = useSteadyQuery(endpointQuery(readQueue, { queue_id: id, project_id: connection.projectId }, connection), id)
  const data = isPrevious ? undefined : shown
  usePageName(data && formatVisibleText(data.queue.name))
  if (data) {
    return (
      <OneQueue key={id} queue={data.queue} refetch={refetch}>
        {error && <ListFailure title="The refresh failed; this is what was read before" error={error} refetch={refetch} />}
      </OneQueue>
    )
  }
  return (
    <>
      <PageHeader title="Queue">
        <AllQueues />
      </PageHeader>
      {!error ? (
        <output aria-label="Loading" className="block border-t border-line px-4 py-3">
          <Skeleton className="h-3 w-64" />
        </output>
      ) : error instanceof NotFoundError ? (
        <>
          <DeletedQueueNotice key={id} queueId={id} />
          <EmptyState
            action={
              <Link href="/queues" className={buttonClass()}>
                All queues
              </Link>
            }
          >
            {error.problems.length > 0 ? error.message : missingQueue}{' '}
            <code className="block font-mono break-all">
              <ForeignText text={id} />
            </code>
          </EmptyState>
        </>
      ) : (
        <ListFailure title="The queue could not be read" error={error} refetch={refetch} />
      )}
    </>
  )
}

const viewOptions = [
  { value: 'items' as const, label: 'Items' },
  { value: 'results' as const, label: 'Results' },
  { value: 'scorers' as const, label: 'Scorers' },
]

type Props = {
  queue: Queue
  refetch: () => Promise<unknown>
  /** What is to be said above all else. */
  children: ReactNode
}

function OneQueue({ queue, refetch, children }: Props) {
  const [{ view }, setView] = useUrlState(queueViewParams)
  const [scorerNotice, setScorerNotice] = useState<ScorerNotice>()
  const hasReviews = useHasReviews()
  const figures = useQueueStats([queue.id])
  const isLive = usesSession(useConnection())
  const stats = figures.byId?.get(queue.id)
  // With the items the table listens: one stream is enough.
  useLiveRows(isLive && view !== 'items' ? 'queues' : undefined, {
    isFetching: figures.isFetching,
    refetch: () => Promise.all([refetch(), figures.refetch()]),
  })
  return (
    <div className="table-page">
      <PageHeader
        title={<ForeignText text={queue.name} />}
        aside={
          <span className="flex flex-wrap items-center gap-x-2">
            {/* A narrow screen has no room for it beside the name. */}
            <span className="max-md:hidden">
              <CopyButton text={queue.id} label="Copy the id of the queue" />
            </span>
            {queue.archived ? <Chip>Archived</Chip> : hasReviews === false && <MissingReviews />}
          </span>
        }
      >
        <QueueActions queue={queue} stats={stats} hasReviews={hasReviews}>
          {!queue.archived && <AddItemsButton queue={queue} />}
        </QueueActions>
        {/* The bar of a narrow screen leads there. */}
        <span className="contents max-md:hidden">
          <AllQueues />
        </span>
      </PageHeader>
      {children}
      <QueueFigures
        queue={queue}
        hasReviews={hasReviews === true}
        stats={stats}
        hasNoStats={figures.error !== null}
        readAt={figures.readAt}
      >
        <Segmented label="View" value={view} options={viewOptions} onChange={(next) => setView({ view: next })} />
      </QueueFigures>
      {view === 'items' && <QueueItems queue={queue} hasReviews={hasReviews === true} />}
      {view === 'results' && (
        <div className="min-h-50 flex-1 overflow-auto">
          <Suspense fallback={<PartFallback />}>
            <QueueResults queue={queue} />
          </Suspense>
        </div>
      )}
      {view === 'scorers' && (
        <div className="min-h-50 flex-1 overflow-auto">
          <Suspense fallback={<PartFallback />}>
            <QueueScorers queue={queue} done={scorerNotice} onDone={setScorerNotice} />
          </Suspense>
        </div>
      )}
    </div>
  )
}

/** Said where reviewing would be offered. */
function MissingReviews() {
  return useCanChangeQueues()
    ? 'This service cannot give out items to review'
    : 'This service takes no items into queues and gives out none to review'
}

function AllQueues() {
  return (
    <Link href="/queues" className={buttonClass('quiet')}>
      All queues
    </Link>
  )
}
