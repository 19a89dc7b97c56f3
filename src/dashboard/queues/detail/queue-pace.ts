import { closedDays, type QueueStats } from '../../../contract/queue-items'
import { formatCount, formatQuantity } from '../../format/count'
import { formatTime, type TimeZone } from '../../format/instant'

const dayMs = 24 * 60 * 60 * 1000

export type QueuePace = {
  /** Items closed in the last days. */
  closedCount: number
  /** Over how many days they were counted: since the first item was closed, from one day to seven. */
  days: number
  perDay: number
  /** When the rest is closed at this pace, milliseconds; undefined where nothing is left. */
  doneAt: number | undefined
}

/**
 * How fast a queue is reviewed now. Undefined where the service does not say, and where no item was closed in the last seven
 * days: without a pace there is no day on which the queue is done. The pace of less than a day is that of a whole day, because
 * nobody reviews around the clock.
 *
 * @example toPace(stats, Date.now()) // { closedCount: 42, days: 7, perDay: 6, doneAt: ... }
 */
export function toPace(
  { total_items: total, completed_items: closed, closed_by_day: byDay = [], first_closed_at: firstAt }: QueueStats,
  now: number,
): QueuePace | undefined {
  const closedCount = byDay.reduce((sum, count) => sum + count, 0)
  if (closedCount === 0 || !firstAt) return undefined
  const days = Math.min(Math.max((now - Date.parse(firstAt)) / dayMs, 1), closedDays)
  const perDay = closedCount / days
  const left = total - closed
  return { closedCount, days, perDay, doneAt: left > 0 ? now + (left / perDay) * dayMs : undefined }
}

/** `12`, `0.4`, `< 0.1`. */
export function formatPerDay(perDay: number): string {
  if (perDay < 0.1) return '< 0.1'
  return perDay >= 10 ? formatCount(String(Math.round(perDay))) : String(Math.round(perDay * 10) / 10)
}

/** A pace does not hold for longer, so no day is named. */
const maxDays = 365

/** `by 2026-12-05`, in the time zone. */
export function formatDoneDay(doneAt: number, now: number, zone: TimeZone): string {
  return doneAt - now > maxDays * dayMs ? 'in over a year' : `by ${formatTime(new Date(doneAt).toISOString(), zone).slice(0, 10)}`
}

/** What the pace is computed from: `42 items in the last 7 days`. */
export function describePace({ closedCount, days }: QueuePace): string {
  const span = days <= 1 ? '24 hours' : `${Math.round(days * 10) / 10} days`
  return `${formatQuantity(closedCount, 'item')} in the last ${span}`
}
