import * as z from 'zod/mini'
import { formatValue } from './json-value'

const instantPattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?\s?(?:([Zz])|([+-])(\d{2})(?::?(\d{2}))?)?)?$/

// The store's DateTime64 holds 1900 to 2299. The last year is left out, so that no arithmetic overflows.
const minMicroseconds = BigInt(Date.UTC(1900, 0, 1)) * 1000n
const endMicroseconds = BigInt(Date.UTC(2299, 0, 1)) * 1000n

const expected = 'ISO 8601 with Z or an offset, such as 2026-01-31T09:30:00Z'

/**
 * Parses ISO 8601 text into microseconds since 1970. Text without an offset is UTC, a date alone is midnight UTC, digits of a
 * fraction after the sixth are dropped. Returns a string where the text is invalid: the reason.
 */
export function parseInstant(text: string): bigint | string {
  const match = instantPattern.exec(text)
  if (!match) return `Unreadable time ${formatValue(text)}. Expected ${expected}.`
  const [
    ,
    year,
    month,
    day,
    hour = '0',
    minute = '0',
    second = '0',
    fraction = '',
    ,
    sign,
    offsetHour = '0',
    offsetMinute = '0',
  ] = match
  // Date.UTC() would read the years before 100 as 1900 to 1999.
  const midnight = new Date(0).setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  const date = new Date(midnight)
  const dateExists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
  const timeExists =
    Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60 && Number(offsetHour) < 24 && Number(offsetMinute) < 60
  if (!dateExists || !timeExists) return `There is no such time as ${formatValue(text)}. Expected ${expected}.`
  const offsetMinutes = (sign === '-' ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute))
  const seconds = midnight / 1000 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offsetMinutes * 60
  const microseconds = BigInt(seconds) * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'))
  return isStorable(microseconds) ? microseconds : `Time ${formatValue(text)} is out of range. Expected 1900-01-01 to 2298-12-31.`
}

/** Whether the wire accepts a time, in microseconds since 1970: 1900-01-01 to 2298-12-31. */
export function isStorable(microseconds: bigint): boolean {
  return microseconds >= minMicroseconds && microseconds < endMicroseconds
}

/** The wire's form of microseconds since 1970: UTC with `Z`; a fraction only if it is not zero, then six digits. */
export function formatInstant(microseconds: bigint): string {
  const rest = Number(microseconds % 1_000_000n)
  const fraction = rest < 0 ? rest + 1_000_000 : rest
  const seconds = Number(microseconds / 1_000_000n) - (rest < 0 ? 1 : 0)
  const text = new Date(seconds * 1000).toISOString().slice(0, 19)
  return fraction === 0 ? `${text}Z` : `${text}.${String(fraction).padStart(6, '0')}Z`
}

/** Orders instants of the wire's form. Plain text order would put `…00Z` after `…00.5Z`. */
export function compareInstants(left: Instant, right: Instant): number {
  if (left === right) return 0
  const isBefore = left.length === right.length ? left < right : left.slice(0, -1) < right.slice(0, -1)
  return isBefore ? -1 : 1
}

/** For a schema: ISO 8601 text to the wire's form (`formatInstant`). */
export function toInstant(text: string, context: z.core.ParsePayload): string {
  const instant = parseInstant(text)
  if (typeof instant === 'bigint') return formatInstant(instant)
  context.issues.push({ code: 'custom', message: instant, params: { type: 'datetime_parsing' }, input: text })
  return z.NEVER
}

export const Instant = z.pipe(z.string(), z.transform(toInstant))
export type Instant = z.infer<typeof Instant>
