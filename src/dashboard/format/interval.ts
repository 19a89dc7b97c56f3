import { formatInstant, parseInstant } from '../../contract/instant'
import type { TimeZone } from './instant'

/** A bar of a chart over time. */
export type IntervalName = 'hour' | 'day' | 'week' | 'month'

/** `2026-01-31T09:30:00Z`, as a URL has it. */
export function formatMs(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}

/** The exclusive bound just before a time, to the microsecond, so that what starts then is inside. */
export function toExclusiveStart(startMs: number): string {
  const instant = parseInstant(new Date(startMs).toISOString())
  return typeof instant === 'bigint' ? formatInstant(instant - 1n) : formatMs(startMs)
}

/** A bound of `toExclusiveStart` as the time that it stands for; any other is undefined. */
export function toInclusiveStart(after: string): string | undefined {
  const instant = parseInstant(after)
  return after.endsWith('.999999Z') && typeof instant === 'bigint' ? formatInstant(instant + 1n) : undefined
}

/** The parts of a time in the zone; months and weekdays count from 0. */
export function toParts(ms: number, zone: TimeZone) {
  const date = new Date(ms)
  return zone === 'utc'
    ? {
        year: date.getUTCFullYear(),
        month: date.getUTCMonth(),
        day: date.getUTCDate(),
        hour: date.getUTCHours(),
        weekday: date.getUTCDay(),
      }
    : {
        year: date.getFullYear(),
        month: date.getMonth(),
        day: date.getDate(),
        hour: date.getHours(),
        weekday: date.getDay(),
      }
}

/** The name of the person's time zone for the engine. */
export function toZoneName(zone: TimeZone): string {
  return zone === 'utc' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Which interval lies between two times. */
export function nameInterval(startMs: number, endMs: number): IntervalName {
  const hours = (endMs - startMs) / 3_600_000
  // A day has 23 to 25 of them.
  return hours <= 2 ? 'hour' : hours <= 26 ? 'day' : hours <= 170 ? 'week' : 'month'
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** `Fri 2026-11-20`, `Fri 2026-11-20 14:00`, `week of Mon 2026-11-16`. */
export function formatInterval(startMs: number, interval: IntervalName, zone: TimeZone): string {
  const { year, month, day, hour, weekday } = toParts(startMs, zone)
  const date = `${weekdays[weekday]} ${year}-${twoDigits(month + 1)}-${twoDigits(day)}`
  if (interval === 'week') return `week of ${date}`
  if (interval === 'month') return date.slice(4, 11)
  return interval === 'day' ? date : `${date} ${twoDigits(hour)}:00`
}

/** The label of an axis: `11-20`, the time of day, or the month. */
export function formatTick(startMs: number, interval: IntervalName, zone: TimeZone): string {
  const { year, month, day, hour } = toParts(startMs, zone)
  if (interval === 'month') return `${year}-${twoDigits(month + 1)}`
  const date = `${twoDigits(month + 1)}-${twoDigits(day)}`
  return interval === 'hour' && hour !== 0 ? `${twoDigits(hour)}:00` : date
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
