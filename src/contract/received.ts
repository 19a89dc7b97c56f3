import * as z from 'zod/mini'
import { formatInstant, parseInstant } from './instant'
import { describeType, formatValue } from './json-value'

// Fields of responses as other services send them: numbers as text, times as numbers, null for what they do not know. Null
// and absent are null, "unknown". A value that cannot be read is an error: "not set" would be a wrong statement about it.

class Unreadable {
  constructor(readonly reason: string) {}
}

function received<T>(read: (value: unknown) => T | Unreadable) {
  return z.pipe(
    // The default makes the field optional.
    z._default(z.unknown(), null),
    z.transform((input, context): T | null => {
      if (input === null || input === undefined) return null
      const value = read(input)
      if (!(value instanceof Unreadable)) return value
      context.issues.push({ code: 'custom', message: value.reason, input })
      return z.NEVER
    }),
  )
}

/** A text. A number counts as its digits. */
export const ReceivedText = received((value) =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value)
    : new Unreadable(`Expected a string, not ${describeType(value)}.`),
)

/** A number, or a text that holds one. */
export const ReceivedNumber = received((value) => toNumber(value) ?? new Unreadable(`Unreadable number ${formatValue(value)}.`))

/** Milliseconds. Some services, W&B Weave on SQLite among them, send -1 for a duration that they do not know. */
export const ReceivedDuration = received((value) => {
  const durationMs = toNumber(value)
  if (durationMs === undefined) return new Unreadable(`Unreadable duration ${formatValue(value)}.`)
  return durationMs < 0 ? null : durationMs
})

/** ISO 8601 text of any year, or a number of seconds, milliseconds, microseconds or nanoseconds since 1970. In the wire's form. */
export const ReceivedInstant = received((value) => {
  const isEpoch = typeof value === 'number' || (typeof value === 'string' && /^-?\d{9,}(?:\.\d+)?$/.test(value))
  const text = isEpoch ? formatEpoch(Number(value)) : typeof value === 'string' ? formatText(value) : undefined
  return text ?? new Unreadable(`Unreadable time ${formatValue(value)}.`)
})

function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function formatText(text: string): string | undefined {
  const instant = parseInstant(text)
  // Years that the wire does not accept in a request, and other notations that the browser reads.
  return typeof instant === 'bigint' ? formatInstant(instant) : formatMilliseconds(Date.parse(text))
}

// Seconds reach 1e11 in the year 5138, milliseconds 1e14 then, and so on: the size of a number tells its unit.
const millisecondsPerUnit = [
  [1e11, 1000],
  [1e14, 1],
  [1e17, 1e-3],
  [Infinity, 1e-6],
] as const

function formatEpoch(epoch: number): string | undefined {
  const [, factor = 1] = millisecondsPerUnit.find(([limit]) => Math.abs(epoch) < limit) ?? []
  return formatMilliseconds(epoch * factor)
}

function formatMilliseconds(milliseconds: number): string | undefined {
  const microseconds = Math.round(milliseconds * 1000)
  const isInRange = milliseconds >= minMilliseconds && milliseconds < endMilliseconds
  return isInRange ? formatInstant(BigInt(microseconds)) : undefined
}

// The years 0001 to 9999: others need a sign or more digits.
const minMilliseconds = Date.parse('0001-01-01T00:00:00Z')
const endMilliseconds = Date.parse('9999-12-31T23:59:59.999Z') + 1
