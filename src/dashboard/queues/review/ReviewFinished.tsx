import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useConnection } from '../../client/connection-context'
import { formatVisibleText } from '../../format/visible-text'
import { Button } from '../../ui/Button'
import { buttonClass } from '../../ui/button-class'
import { EmptyState } from '../../ui/EmptyState'
import { heldItemsQuery, queueStatsQuery } from './review-queries'

const refreshMs = 10_000

type Props = { queueId: string; openCount: number | null; onLookAgain: () => void }

/** Nothing is left for this person: who still works, and where to go on. */
export function ReviewFinished({ queueId, openCount, onLookAgain }: Props) {
  const connection = useConnection()
  const live = { refetchInterval: refreshMs, staleTime: 0 }
  const stats = useQuery({ ...queueStatsQuery(queueId, connection), ...live }).data?.stats[0]
  const held = useQuery({ ...heldItemsQuery(queueId, connection), ...live }).data?.items
  const message = useRef<HTMLDivElement>(null)
  // The focused field is gone.
  useEffect(() => message.current?.focus(), [])
  const href = `/queues/${encodeURIComponent(queueId)}`
  const counts = new Map<string, number>()
  for (const { lease } of held ?? []) if (lease) counts.set(lease.annotator, (counts.get(lease.annotator) ?? 0) + 1)
  const people = [...counts].map(([name, count]) => `${formatVisibleText(name)} (${count})`).join(', ')
  const isEmpty = stats?.total_items === 0
  return (
    <div ref={message} tabIndex={-1} aria-live="polite" className="outline-none">
      <EmptyState
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Link href={href} className={buttonClass('primary')}>
              Open the queue
            </Link>
            {!isEmpty && (
              <Link href={`${href}?view=results`} className={buttonClass()}>
                Results
              </Link>
            )}
            <Button icon="refresh" onClick={onLookAgain}>
              Look again
            </Button>
          </div>
        }
      >
        {isEmpty ? (
          'This queue has no items yet. Add turns from Threads or from the page of the queue.'
        ) : (
          <>
            <strong className="block font-semibold text-text">Nothing is left for you here.</strong>{' '}
            {stats && `${stats.completed_items} of ${stats.total_items} items are done. `}
            {people !== '' && `Still at work: ${people}. An item comes back when its reviewer leaves it, or after ten minutes.`}
            {people === '' && (openCount ?? 0) > 0 && 'The others wait for other people.'}
          </>
        )}
      </EmptyState>
    </div>
  )
}
