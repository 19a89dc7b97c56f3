import { parseInstant } from '../../contract/instant'
import type { TimeZone } from './instant'

const pattern = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d\d)(?::(\d\d)(\.\d+)?)?)?\s*(Z|UTC|[+-]\d\d:?\d\d)?$/i

/** `day` only where no time of day was typed; the instant is then its midnight. */
type TypedTime = { instant: string; day: string | undefined } | { problem: string }

/**
 * The instant that a person typed, in the wire's form to the millisecond, or what is wrong with the text. Text without an
 * offset is in `zone`.
 */
export function parseTimeText(text: string, zone: TimeZone): TypedTime {
  const match = pattern.exec(text.trim())
  if (!match) return { problem: `“${text.trim()}” is not a time. Write 2026-01-31 or 2026-01-31 09:30.` }
  const [, year = '', month = '', day = '', hour, minute = '00', second = '00', fraction = '', offset = ''] = match
  const date = `${year}-${twoDigits(month)}-${twoDigits(day)}`
  const local = `${date}T${twoDigits(hour ?? '0')}:${minute}:${second}${fraction.slice(0, 4)}`
  if (Number(year) < 1900 || Number(year) > 2298) return { problem: `The year ${year} is out of range: 1900 to 2298.` }
  if (typeof parseInstant(`${date}T00:00Z`) !== 'bigint') return { problem: `There is no day ${date}.` }
  if (typeof parseInstant(`${local}Z`) !== 'bigint') return { problem: `There is no time ${hour}:${minute}:${second}.` }
  const suffix = /^(?:Z|UTC)$/i.test(offset) || (offset === '' && zone === 'utc') ? 'Z' : offset.replace(/(\d\d)(\d\d)$/, '$1:$2')
  const instant = new Date(local + suffix)
  if (Number.isNaN(instant.getTime())) return { problem: `“${offset}” is not an offset. Write Z or +01:00.` }
  return { instant: instant.toISOString().replace('.000Z', 'Z'), day: hour === undefined ? date : undefined }
}

function twoDigits(digits: string): string {
  return digits.padStart(2, '0')
}
