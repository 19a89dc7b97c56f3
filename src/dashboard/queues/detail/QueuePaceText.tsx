import type { QueueStats } from '../../../contract/queue-items'
import type { TimeZone } from '../../format/instant'
import { describePace, formatDoneDay, formatPerDay, toPace } from './queue-pace'

type Props = {
  stats: QueueStats
  /** When the figures arrived, milliseconds. */
  now: number
  zone: TimeZone
}

/** `6 a day, done by 2026-12-05`; its title says what that is computed from. Nothing is promised where there is no pace. */
export function QueuePaceText({ stats, now, zone }: Props) {
  const pace = toPace(stats, now)
  const title = pace && `Completed or skipped: ${describePace(pace)}`
  const isDone = stats.total_items > 0 && stats.completed_items >= stats.total_items
  if (isDone) {
    return (
      <span className="text-good" title={title}>
        all done
      </span>
    )
  }
  if (!pace) {
    return (
      <span className="text-faint" title="No item was completed or skipped in the last 7 days">
        —
      </span>
    )
  }
  const { perDay, doneAt } = pace
  return (
    <span title={`${title}${doneAt === undefined ? '' : '. The day is right if it goes on like this'}`}>
      {formatPerDay(perDay)} a day
      {doneAt !== undefined && <span className="text-quiet">, done {formatDoneDay(doneAt, now, zone)}</span>}
    </span>
  )
}
