export type TimeZone = 'local' | 'utc'

/** `2026-11-03 14:05:09` in the time zone. It does not use Intl, whose first use costs tens of milliseconds. */
export function formatTime(iso: string, zone: TimeZone): string {
  const date = new Date(iso)
  return `${formatDatePart(date, zone)} ${formatClockPart(date, zone)}`
}

/** A midnight in UTC means a calendar day: every time zone shows that day, not the evening before. */
export function formatDay(iso: string, zone: TimeZone): string {
  return isDay(iso) ? iso.slice(0, 10) : formatTime(iso, zone)
}

export function isDay(iso: string): boolean {
  return /T00:00:00(?:\.0+)?Z$/.test(iso)
}

/** The local time and the exact value, for the title of a cell. */
export function formatExactTime(iso: string): string {
  return `${formatTime(iso, 'local')} ${formatZone('local', iso)} · ${iso}`
}

/** `UTC`, or the offset of this device at that time: `UTC+02:00`. */
export function formatZone(zone: TimeZone, iso?: string): string {
  if (zone === 'utc') return 'UTC'
  const offset = -(iso === undefined ? new Date() : new Date(iso)).getTimezoneOffset()
  if (offset === 0) return 'UTC'
  const size = Math.abs(offset)
  return `UTC${offset < 0 ? '−' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`
}

function formatDatePart(date: Date, zone: TimeZone): string {
  return zone === 'utc'
    ? date.toISOString().slice(0, 10)
    : `${String(date.getFullYear()).padStart(4, '0')}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
}

function formatClockPart(date: Date, zone: TimeZone): string {
  return zone === 'utc'
    ? date.toISOString().slice(11, 19)
    : `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}:${twoDigits(date.getSeconds())}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
