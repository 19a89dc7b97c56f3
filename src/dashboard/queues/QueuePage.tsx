import { Link, useParams } from 'wouter'
import { type Queue, readQueue } from '../../contract/queues'
import { NotFoundError } from '../client/api-error'
import { useConnection } from '../client/connection-context'
import { ForeignText } from '../format/ForeignText'
import { usePreferences } from '../format/preferences'
import { endpointQuery } from '../client/endpoint-query'
import { formatZone } from '../format/instant'
import { Time } from '../format/Time'
import { formatVisibleLines } from '../format/visible-text'
import { useSteadyQuery } from '../table/view/use-steady-query'
import { buttonClass } from '../ui/button-class'
import { CopyButton } from '../ui/CopyButton'
import { EmptyState } from '../ui/EmptyState'
import { PageHeader } from '../ui/PageHeader'
import { Skeleton } from '../ui/Skeleton'
import { ListFailure } from './ListFailure'
import { toScorerRefStates } from './scorer-ref-state'
import { ScorerList } from './ScorerList'

/** One queue with its scorers. */
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
  return (
    <>
      <PageHeader title={data ? <ForeignText text={data.queue.name} /> : 'Queue'}>
        <Link href="/queues" className={buttonClass('quiet')}>
          All queues
        </Link>
      </PageHeader>
      {data && error && <ListFailure title="The refresh failed; this is what was read before" error={error} refetch={refetch} />}
      {data ? (
        <QueueFacts queue={data.queue} />
      ) : !error ? (
        <output aria-label="Loading" className="block border-t border-line px-4 py-3">
          <Skeleton className="h-3 w-64" />
        </output>
      ) : error instanceof NotFoundError ? (
        <EmptyState
          action={
            <Link href="/queues" className={buttonClass()}>
              All queues
            </Link>
          }
        >
          {error.message}{' '}
          <code className="font-mono break-all">
            <ForeignText text={id} />
          </code>
        </EmptyState>
      ) : (
        <ListFailure title="The queue could not be read" error={error} refetch={refetch} />
      )}
    </>
  )
}

function QueueFacts({ queue }: { queue: Queue }) {
  const { zone } = usePreferences()
  return (
    <div className="border-t border-line px-4 py-4 [&>*]:max-w-200">
      {queue.description && (
        <p className="mb-4 break-words whitespace-pre-wrap [unicode-bidi:plaintext]">
          {formatVisibleLines(queue.description.trim())}
        </p>
      )}
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1">
        <dt className="text-quiet">Id</dt>
        <dd className="flex min-w-0 items-start gap-1">
          <code className="min-w-0 font-mono break-all">
            <ForeignText text={queue.id} />
          </code>
          <span className="-my-1">
            <CopyButton text={queue.id} label="Copy id" />
          </span>
        </dd>
        <dt className="text-quiet">Created</dt>
        <dd className="tabular-nums">
          <Time iso={queue.created_at} zone={zone} /> <span className="text-quiet">{formatZone(zone, queue.created_at)}</span>
          {queue.created_by && (
            <>
              {' by '}
              <ForeignText text={queue.created_by} />
            </>
          )}
        </dd>
      </dl>
      <h2 className="mt-6 mb-1 font-semibold">
        Scorers <span className="font-normal text-quiet tabular-nums">{queue.scorer_refs.length}</span>
      </h2>
      <ScorerList
        refs={toScorerRefStates(
          queue.scorer_refs.map((text) => ({ text })),
          queue.project_id,
        )}
      />
    </div>
  )
}
