import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useConnection } from '../../client/connection-context'
import type { Queue } from '../../../contract/queues'
import { formatCount, formatQuantity } from '../../format/count'
import { formatVisibleText } from '../../format/visible-text'
import { Button } from '../../ui/Button'
import { buttonClass } from '../../ui/button-class'
import { EmptyState } from '../../ui/EmptyState'
import { countProgress, type Progress } from '../detail/count-progress'
import { heldItemsQuery, queueStatsQuery } from './review-queries'
import type { Entry } from './review-state'

const refreshMs = 10_000

type Props = { queue: Queue; entries: readonly Entry[]; onLookAgain: () => void }

/**
 * Nothing was free for this person: what they did, who still works, and where to go on. An item may have become free since then.
 */
export function ReviewFinished({ queue: { id: queueId, reviews_per_item: reviewsPerItem }, entries, onLookAgain }: Props) {
  const connection = useConnection()
  const live = { refetchInterval: refreshMs, staleTime: 0 }
  const statsQuery = useQuery({ ...queueStatsQuery(queueId, connection), ...live })
  // What was read before is older than the last answer of this person.
  const stats = statsQuery.isFetchedAfterMount ? statsQuery.data?.stats[0] : undefined
  const held = useQuery({ ...heldItemsQuery(queueId, connection), ...live }).data?.items
  const message = useRef<HTMLDivElement>(null)
  // The focused field is gone.
  useEffect(() => message.current?.focus(), [])
  const href = `/queues/${encodeURIComponent(queueId)}`
  const counts = new Map<string, number>()
  for (const { lease } of held ?? []) if (lease) counts.set(lease.annotator, (counts.get(lease.annotator) ?? 0) + 1)
  const people = [...counts].map(([name, count]) => `${formatVisibleText(name)} (${count})`).join(', ')
  const isEmpty = stats?.total_items === 0
  const countDecided = (wanted: Entry['decision']) => entries.filter(({ decision }) => decision === wanted).length
  const reviewed = countDecided('completed')
  const skipped = countDecided('skipped')
  const unclosed = stats ? stats.total_items - stats.completed_items : 0
  const isLeft = stats?.open_count !== 0
  const isFree = (stats?.free_count ?? 0) > 0
  return (
    <div ref={message} tabIndex={-1} aria-live="polite" className="flex-1 outline-none">
      <EmptyState
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Link href={href} className={buttonClass(isFree ? 'plain' : 'primary')}>
              Open the queue
            </Link>
            {!isEmpty && (
              <Link href={`${href}?view=results`} className={buttonClass()}>
                Results
              </Link>
            )}
            <Button icon="refresh" variant={isFree ? 'primary' : 'plain'} onClick={onLookAgain}>
              Look again
            </Button>
          </div>
        }
      >
        {isEmpty ? (
          'This queue has no items yet. Add turns from Threads or from the page of the queue.'
        ) : (
          <>
            <strong className="block font-semibold text-text">{formatState({ isLeft, isFree })}</strong>{' '}
            {reviewed + skipped > 0 &&
              `You reviewed ${formatQuantity(reviewed, 'item')}${skipped > 0 ? ` and skipped ${skipped}` : ''} in this visit. `}
            {stats && formatProgress(countProgress(stats, reviewsPerItem))}
            {people !== '' && `Still at work: ${people}. An item comes back when its reviewer leaves it, or after ten minutes.`}
            {people === '' &&
              !isLeft &&
              unclosed > 0 &&
              `${formatQuantity(unclosed, 'item')} still ${unclosed === 1 ? 'waits' : 'wait'} for reviews by other people.`}
          </>
        )}
      </EmptyState>
    </div>
  )
}

/** `isLeft`: an item is open to this person; others may have it now. */
function formatState({ isLeft, isFree }: { isLeft: boolean; isFree: boolean }): string {
  if (!isLeft) return 'Nothing is left for you here.'
  return isFree ? 'An item is free for you now.' : 'Nothing is free for you now.'
}

/** `5 of 8 items are done. ` */
function formatProgress({ done, total, unit }: Progress): string {
  return `${formatCount(String(done))} of ${formatQuantity(total, unit.slice(0, -1))} ${done === 1 ? 'is' : 'are'} done. `
}
