import type { SpendInterval } from '../../../contract/spend'
import { formatQuantity } from '../../format/count'
import { formatTime, type TimeZone } from '../../format/instant'
import { formatMs, toExclusiveStart, toParts } from '../../format/interval'
import type { SpendView } from './spend-view'

/** Milliseconds since 1970. `startMs` belongs to the window, `endMs` does not. */
export type SpendWindow = {
  /** Undefined where the person gave an end only. */
  startMs: number | undefined
  endMs: number
  /** Whether it ends now: nothing later is left out then. */
  isOpen: boolean
  interval: SpendInterval
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * The window of a view. "7 d" is today and the six days before it in the person's time zone, so that each bar is a whole day;
 * "24 h" is this hour and the 23 before it.
 */
export function toSpendWindow(
  { window, after, before }: Pick<SpendView, 'window' | 'after' | 'before'>,
  zone: TimeZone,
  now: number,
): SpendWindow {
  if (after === '' && before === '') {
    const startMs =
      window === '24h'
        ? startOfInterval(now, 'hour', zone) - 23 * hourMs
        : addIntervals(startOfInterval(now, 'day', zone), 'day', window === '7d' ? -6 : -29, zone)
    return { startMs, endMs: now, isOpen: true, interval: window === '24h' ? 'hour' : 'day' }
  }
  const startMs = after === '' ? undefined : Date.parse(after)
  const endMs = before === '' ? now : Date.parse(before)
  return { startMs, endMs, isOpen: before === '', interval: chooseInterval(startMs, endMs) }
}

function chooseInterval(startMs: number | undefined, endMs: number): SpendInterval {
  const lengthMs = endMs - (startMs ?? endMs - 90 * dayMs)
  return lengthMs <= 3 * dayMs ? 'hour' : lengthMs <= 100 * dayMs ? 'day' : 'week'
}

/** The window of the same length before this one, as far as this one has passed. Undefined where this one has no start. */
export function toPreviousWindow(window: SpendWindow, now: number): SpendWindow | undefined {
  const { startMs, endMs } = window
  if (startMs === undefined || startMs >= now) return undefined
  const start = startMs - (endMs - startMs)
  return { ...window, startMs: start, endMs: start + Math.min(endMs, now) - startMs, isOpen: false }
}

/** `the 30 days before`, `as much of the 24 hours before`: what `toPreviousWindow` gives. */
export function formatPreviousWindow({ startMs = 0, endMs, isOpen }: SpendWindow, now: number): string {
  const lengthMs = endMs - startMs
  const isDays = lengthMs > 1.5 * dayMs
  // The last day of an open window is not over, but it is one of its days.
  const count = Math[isOpen ? 'ceil' : 'round'](lengthMs / (isDays ? dayMs : hourMs))
  return `${endMs > now ? 'as much of ' : ''}the ${formatQuantity(count, isDays ? 'day' : 'hour')} before`
}

/** A range for readers: whole days by their names, the last one included. */
export function formatRange({ after, before }: Pick<SpendView, 'after' | 'before'>, zone: TimeZone): string {
  const toText = (iso: string) => formatTime(iso, zone).replace(/ 00:00:00$|:00$/, '')
  const isDay = (text: string) => text.length === 'yyyy-mm-dd'.length
  const [first, end] = [after && toText(after), before && toText(before)]
  if (isDay(first) && isDay(end)) {
    const last = formatTime(formatMs(Date.parse(before) - 1), zone).slice(0, first.length)
    return last === first ? first : `${first} to ${last}`
  }
  return [first && `from ${first}`, end && `before ${end}`].filter(Boolean).join(' ')
}

/** The wire's bounds. They are exclusive, and times have microseconds. */
export function toBounds({ startMs, endMs, isOpen }: SpendWindow): { after_datetime?: string; before_datetime?: string } {
  return {
    ...(startMs !== undefined && { after_datetime: toExclusiveStart(startMs) }),
    ...(!isOpen && { before_datetime: formatMs(endMs) }),
  }
}

/** The starts of all intervals of a window. `known` are starts that rows have: the engine's calendar may differ in odd zones. */
export function listIntervals(window: SpendWindow, zone: TimeZone, known: readonly number[]): number[] {
  const { interval, endMs } = window
  const first = window.startMs ?? Math.min(...known, endMs)
  const starts = new Set(known)
  let start = startOfInterval(first, interval, zone)
  while (start < endMs && starts.size < maxIntervals) {
    starts.add(start)
    start = addIntervals(start, interval, 1, zone)
  }
  return [...starts].toSorted((left, right) => left - right)
}

// A range of centuries must not freeze the page.
const maxIntervals = 2000

/** The end of an interval that begins at `startMs`. */
export function endOfInterval(startMs: number, interval: SpendInterval, zone: TimeZone): number {
  return addIntervals(startMs, interval, 1, zone)
}

/** Weeks begin on Monday. */
export function startOfInterval(ms: number, interval: SpendInterval, zone: TimeZone): number {
  const { year, month, day, weekday } = toParts(ms, zone)
  if (interval === 'hour') {
    // Not from the parts: an hour that comes twice has the same ones.
    const offsetMs = zone === 'utc' ? 0 : new Date(ms).getTimezoneOffset() * 60_000
    return Math.floor((ms - offsetMs) / hourMs) * hourMs + offsetMs
  }
  return toMidnight(year, month, interval === 'day' ? day : day - ((weekday + 6) % 7), zone)
}

function addIntervals(startMs: number, interval: SpendInterval, count: number, zone: TimeZone): number {
  if (interval === 'hour') return startMs + count * hourMs
  const { year, month, day } = toParts(startMs, zone)
  return toMidnight(year, month, day + count * (interval === 'week' ? 7 : 1), zone)
}

function toMidnight(year: number, month: number, day: number, zone: TimeZone): number {
  return zone === 'utc' ? Date.UTC(year, month, day) : new Date(year, month, day).getTime()
}
