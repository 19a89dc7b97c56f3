import type { QueueStats } from '../../../contract/queue-items'
import { formatCount } from '../../format/count'
import { countProgress } from './count-progress'

type Props = { stats: QueueStats; reviewsPerItem: number }

/** A bar with its figures: how many reviews are done or items closed, of all. */
export function QueueProgress({ stats, reviewsPerItem }: Props) {
  const { completed_items: closed, total_items: itemCount } = stats
  if (itemCount === 0) return <span className="text-faint">no items</span>
  const { done, total, unit } = countProgress(stats, reviewsPerItem)
  const count = (number: number) => formatCount(String(number))
  return (
    <span
      className="inline-flex w-full items-center gap-2"
      title={`${Math.floor((100 * done) / total)} %. ${count(closed)} of ${count(itemCount)} items are completed or skipped`}
    >
      <span className="queue-track" aria-hidden="true">
        <span style={{ width: `${(100 * done) / total}%` }} />
      </span>
      <span className="whitespace-nowrap">
        {count(done)}{' '}
        <span className="text-quiet">
          of {count(total)} {unit}
        </span>
      </span>
    </span>
  )
}
