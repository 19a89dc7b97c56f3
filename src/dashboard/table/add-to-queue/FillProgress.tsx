import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { retryNow } from '../../client/retry-schedule'
import { formatCount, formatQuantity } from '../../format/count'
import { ForeignText } from '../../format/ForeignText'
import { Banner } from '../../ui/Banner'
import { Button } from '../../ui/Button'
import { buttonClass } from '../../ui/button-class'
import { CopyButton } from '../../ui/CopyButton'
import type { FillJob } from './fill-job'
import { formatOutcome } from './format-outcome'
import type { FillState } from './queue-fill'
import type { QueueFillControls } from './use-queue-fill'

type Props = {
  state: FillState
  fill: QueueFillControls
  /** On the page of the queue itself there is no link to it. */
  isOnQueuePage?: boolean
  onClose: () => void
}

/** How far the calls of a job are, and what can be done about those that are missing. */
export function FillProgress({ state: { job, status, error }, fill, isOnQueuePage = false, onClose }: Props) {
  const sentCount = job.totalCount - job.callIds.length
  const count = (number: number) => formatCount(String(number))
  const link = job.queueId !== '' && !isOnQueuePage && (
    <Link href={`/queues/${encodeURIComponent(job.queueId)}`} onClick={onClose} className={buttonClass('primary')}>
      Open the queue
    </Link>
  )
  if (status === 'done') {
    return (
      <Outcome job={job}>
        {link}
        <Button onClick={onClose}>Done</Button>
      </Outcome>
    )
  }
  if (status === 'running' || status === 'waiting') {
    return (
      <div className="flex flex-col gap-2">
        <output className="tabular-nums">
          {status === 'waiting' && 'Waiting for the server. '}
          {`${count(sentCount)} of ${formatQuantity(job.totalCount, 'call')} sent to `}
          <Name job={job} />
        </output>
        <progress aria-label="Calls sent" value={sentCount} max={job.totalCount} className="w-full accent-accent" />
        <div className="flex flex-wrap gap-2">
          <Button icon="stop" onClick={fill.stop}>
            Stop
          </Button>
          {status === 'waiting' && (
            <Button icon="refresh" onClick={retryNow}>
              Retry now
            </Button>
          )}
        </div>
      </div>
    )
  }
  return (
    <Banner
      tone={status === 'failed' ? 'bad' : 'warn'}
      title={
        job.queueId === '' ? (
          <>
            The queue <Name job={job} /> is not created yet
          </>
        ) : (
          <>
            {`${formatQuantity(job.callIds.length, 'call')} of ${count(job.totalCount)} are not in `}
            <Name job={job} /> yet
          </>
        )
      }
      actions={
        <>
          <Button icon="refresh" variant="primary" onClick={fill.resume}>
            Go on
          </Button>
          {link}
          <Button onClick={fill.forget}>{job.queueId === '' ? 'Discard' : 'Leave them out'}</Button>
        </>
      }
    >
      {error && <p>{error.message}</p>}
      {sentCount > 0 && <p>{`Of those that were sent: ${formatOutcome(job)}`}</p>}
    </Banner>
  )
}

function Name({ job }: { job: FillJob }) {
  return (
    <strong className="font-semibold">
      <ForeignText text={job.queueName} />
    </strong>
  )
}

const maxShownIds = 5

function Outcome({ job, children }: { job: FillJob; children: ReactNode }) {
  const { unknownIds } = job
  return (
    <Banner tone={unknownIds.length > 0 ? 'warn' : 'good'} title={<Name job={job} />} actions={children}>
      <p>{formatOutcome(job)}</p>
      {unknownIds.length > 0 && (
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="min-w-0 font-mono text-xs break-all">
            {unknownIds.slice(0, maxShownIds).join(', ')}
            {unknownIds.length > maxShownIds && ' …'}
          </span>
          <CopyButton label="Copy the ids that are no calls of this project" text={unknownIds.join('\n')} />
        </p>
      )}
    </Banner>
  )
}
