import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link, useParams } from 'wouter'
import { readRefs } from '../../../contract/objects'
import { readQueue } from '../../../contract/queues'
import { useConnection } from '../../client/connection-context'
import { endpointQuery } from '../../client/endpoint-query'
import { ForeignText } from '../../format/ForeignText'
import { formatVisibleText } from '../../format/visible-text'
import { buttonClass } from '../../ui/button-class'
import { EmptyState } from '../../ui/EmptyState'
import { usePageName } from '../../ui/page-name'
import { PageHeader } from '../../ui/PageHeader'
import { Skeleton } from '../../ui/Skeleton'
import { QueueDescription } from '../detail/QueueDescription'
import { toAnswerFields, toSpecRefs } from './answer-fields'
import { OtherReviewers } from './OtherReviewers'
import { ReviewDesk } from './ReviewDesk'
import { UnaskedScorers } from './UnaskedScorers'
import { ReviewFailure } from './ReviewFailure'

/** People judge the items of a queue, one at a time. */
export function ReviewPage() {
  const { id = '' } = useParams()
  const connection = useConnection()
  const { projectId } = connection
  const { data, error, refetch } = useQuery(endpointQuery(readQueue, { queue_id: id, project_id: projectId }, connection))
  const queue = data?.queue
  usePageName(queue && formatVisibleText(queue.name))
  const refs = useMemo(() => toSpecRefs(queue?.scorer_refs ?? [], projectId), [queue, projectId])
  const specs = useQuery({ ...endpointQuery(readRefs, { refs }, connection), enabled: refs.length > 0 })
  const values = refs.length === 0 ? noValues : specs.data?.vals
  const asked = useMemo(() => queue && values && toAnswerFields(queue.scorer_refs, values, projectId), [queue, values, projectId])
  const failure = data ? (specs.data ? null : specs.error) : error
  const href = `/queues/${encodeURIComponent(id)}`
  return (
    <div className="flex min-h-full flex-col">
      <PageHeader
        title={queue ? <ForeignText text={queue.name} /> : 'Review'}
        aside={
          queue && (
            <span className="flex flex-wrap gap-x-3">
              Review
              <OtherReviewers queueId={id} />
            </span>
          )
        }
      >
        <Link href={href} className={buttonClass('quiet')}>
          Queue
        </Link>
      </PageHeader>
      {failure ? (
        <ReviewFailure error={failure} queueId={id} onRetry={() => void (data ? specs.refetch() : refetch())} />
      ) : !queue || !asked ? (
        <output aria-label="Loading" className="block border-t border-line px-4 py-3">
          <Skeleton className="h-3 w-64" />
        </output>
      ) : queue.archived ? (
        <EmptyState
          action={
            <Link href={href} className={buttonClass('primary')}>
              Open the queue
            </Link>
          }
        >
          This queue is archived, so nobody reviews it. Its page can restore it.
        </EmptyState>
      ) : asked.fields.length === 0 ? (
        <div className="flex flex-col items-center">
          <EmptyState
            action={
              <Link href={`${href}?view=scorers`} className={buttonClass('primary')}>
                Scorers of this queue
              </Link>
            }
          >
            This queue asks people nothing: none of its scorers is an annotation spec of this project.
          </EmptyState>
          <div className="max-w-150 px-4">
            <UnaskedScorers scorers={asked.unasked} />
          </div>
        </div>
      ) : (
        <>
          <div className="px-4 pb-3 empty:hidden">
            <QueueDescription text={queue.description} />
          </div>
          <ReviewDesk key={queue.id} queue={queue} fields={asked.fields} unasked={asked.unasked} />
        </>
      )}
    </div>
  )
}

const noValues: readonly unknown[] = []
