import { type ReactNode, useState } from 'react'
import type { QueueStats } from '../../../contract/queue-items'
import type { Queue } from '../../../contract/queues'
import { formatCount } from '../../format/count'
import { ForeignText } from '../../format/ForeignText'
import { formatExactTime, formatTime } from '../../format/instant'
import { usePreferences } from '../../format/preferences'
import { Button } from '../../ui/Button'
import { Skeleton } from '../../ui/Skeleton'
import { toPace } from './queue-pace'
import { QueueDescription } from './QueueDescription'
import { QueuePaceText } from './QueuePaceText'
import { QueuePeople } from './QueuePeople'
import { QueueProgress } from './QueueProgress'

type Props = {
  queue: Queue
  /** The service says how a queue is reviewed: how often each item, and by whom. */
  hasReviews: boolean
  stats: QueueStats | undefined
  /** They could not be read. */
  hasNoStats: boolean
  /** When the figures arrived, milliseconds. */
  readAt: number
  /** At the end of the line. */
  children: ReactNode
}

/** What a queue is for, how far it is, how fast it goes, and who works on it. */
export function QueueFigures({ queue, hasReviews, stats, hasNoStats, readAt, children }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const { zone } = usePreferences()
  const { description, created_at: createdAt, created_by: createdBy } = queue
  const pace = stats && toPace(stats, readAt)
  return (
    <div className="flex shrink-0 flex-col gap-3 px-4 pb-3">
      <QueueDescription text={description} />
      {/* Where the figures take two lines, the views stay beside the first one. */}
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <dl
          className={`flex min-w-64 flex-1 flex-wrap gap-x-5 gap-y-2 tabular-nums xl:flex-nowrap ${isOpen ? '' : 'max-md:*:data-detail:hidden'}`}
        >
          {(stats || !hasNoStats) && (
            <Figure label="Progress">
              {/* As wide as it will be: what comes later must not move the rest. */}
              <span className="inline-block min-w-48">
                {stats ? <QueueProgress stats={stats} reviewsPerItem={queue.reviews_per_item} /> : <Skeleton />}
              </span>
            </Figure>
          )}
          {stats?.closed_by_day && (
            <Figure label="Pace" isDetail={pace === undefined}>
              <span className="flex flex-wrap items-center gap-x-2">
                <Days counts={stats.closed_by_day} />
                <QueuePaceText stats={stats} now={readAt} zone={zone} />
              </span>
            </Figure>
          )}
          {hasReviews && (
            <>
              <Figure label="Reviews per item" isDetail>
                {queue.reviews_per_item}
              </Figure>
              <Figure label="People" isDetail isCut>
                <QueuePeople assignees={queue.assignees} active={stats?.active_annotators ?? []} max={5} />
              </Figure>
            </>
          )}
          <Figure label="Created" isDetail isCut>
            <time dateTime={createdAt} title={formatExactTime(createdAt)}>
              {formatTime(createdAt, zone).slice(0, 10)}
            </time>
            {createdBy && (
              <>
                {' by '}
                <ForeignText text={createdBy} />
              </>
            )}
          </Figure>
        </dl>
        <div className="ml-auto flex flex-wrap gap-2 max-sm:ml-0">
          {children}
          {/* On a narrow screen, or one that is zoomed, the rows come first. */}
          <Button variant="quiet" aria-expanded={isOpen} className="md:hidden" onClick={() => setIsOpen(!isOpen)}>
            Details
          </Button>
        </div>
      </div>
    </div>
  )
}

type FigureProps = {
  label: string
  /** A narrow screen folds it. */
  isDetail?: boolean
  /** A wide screen has one line for all figures, and cuts this one where it is too long. */
  isCut?: boolean
  children: ReactNode
}

function Figure({ label, isDetail = false, isCut = false, children }: FigureProps) {
  return (
    <div className={isCut ? 'min-w-0 xl:*:truncate' : 'max-w-full xl:shrink-0'} data-detail={isDetail || undefined}>
      <dt className="text-xs text-quiet">{label}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  )
}

/** A bar for each of the last seven times 24 hours. */
function Days({ counts }: { counts: readonly number[] }) {
  const max = Math.max(...counts)
  if (max === 0) return null
  const label = `Completed or skipped in the last ${counts.length} days, the latest last: ${counts.map((count) => formatCount(String(count))).join(', ')}`
  return (
    // No native element is a drawing of spans; an SVG would be longer.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <span role="img" aria-label={label} title={label} className="queue-days">
      {counts.map((count, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a day has no other name than its place
        <span key={index} style={{ height: `${(100 * count) / max}%` }} />
      ))}
    </span>
  )
}
