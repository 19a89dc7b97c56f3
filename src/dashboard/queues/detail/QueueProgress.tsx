import type { QueueStats } from '../../../contract/queue-items'
import { formatCount } from '../../format/count'

type Props = { stats: QueueStats }

/** A bar with its figures: how many items are closed, of all. */
export function QueueProgress({ stats: { completed_items: closed, total_items: total } }: Props) {
  if (total === 0) return <span className="text-faint">no items</span>
  const percent = Math.floor((100 * closed) / total)
  return (
    <span className="inline-flex w-full items-center gap-2" title={`${percent} % completed or skipped`}>
      <span className="queue-track" aria-hidden="true">
        <span style={{ width: `${(100 * closed) / total}%` }} />
      </span>
      <span className="whitespace-nowrap">
        {formatCount(String(closed))} <span className="text-quiet">of {formatCount(String(total))}</span>
      </span>
    </span>
  )
}
