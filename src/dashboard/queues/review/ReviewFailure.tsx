import { Link } from 'wouter'
import { ForbiddenError, isMissingOperation, NotFoundError } from '../../client/api-error'
import { FailureActions, formatFailure } from '../../table/grid/Failure'
import { Banner } from '../../ui/Banner'
import { buttonClass } from '../../ui/button-class'
import { EmptyState } from '../../ui/EmptyState'

type Props = { error: Error; queueId: string; onRetry: () => void }

/** Why nobody can review here: each cause by itself. */
export function ReviewFailure({ error, queueId, onRetry }: Props) {
  const cause = describeCause(error)
  if (cause === undefined) {
    return (
      <Banner
        tone="bad"
        className="mx-4 mb-3"
        title="The queue could not be read"
        actions={<FailureActions error={error} refetch={async () => onRetry()} />}
      >
        {formatFailure(error)}
      </Banner>
    )
  }
  const isKnown = error instanceof ForbiddenError || !isMissingQueue(error)
  return (
    <EmptyState
      action={
        <Link href={isKnown ? `/queues/${encodeURIComponent(queueId)}` : '/queues'} className={buttonClass()}>
          {isKnown ? 'Open the queue' : 'All queues'}
        </Link>
      }
    >
      {cause}
    </EmptyState>
  )
}

/** Undefined where another attempt may help. */
function describeCause(error: Error): string | undefined {
  if (error instanceof ForbiddenError) return error.message
  if (isMissingQueue(error))
    return 'This project has no such queue. It may have been deleted: what people answered stays on the calls.'
  return isMissingOperation(error)
    ? 'This service cannot give items to reviewers: it is older than this dashboard, or not a Spool.'
    : undefined
}

/** The service has the operation and says that it knows no such queue. */
function isMissingQueue(error: Error): boolean {
  return error instanceof NotFoundError && error.problems.some(({ loc }) => loc.includes('queue_id'))
}
