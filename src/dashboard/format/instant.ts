export type Zone = 'local' | 'utc'

/** `2026-11-03 14:05:09` in the zone: to the second, in an order that sorts. Built without Intl, which costs the first paint. */
export function formatTime(iso: string, zone: Zone): string {
  const date = new Date(iso)
  return `${shownDate(date, zone)} ${shownClock(date, zone)}`
}

/** A start that is a midnight in UTC is a calendar day: shown as that day everywhere, not as the evening before it. */
export function formatDay(iso: string, zone: Zone): string {
  return isDay(iso) ? iso.slice(0, 10) : formatTime(iso, zone)
}

export function isDay(iso: string): boolean {
  return /T00:00:00(?:\.0+)?Z$/.test(iso)
}

/** Both zones and every digit, for the title of a cell. */
export function formatExactTime(iso: string): string {
  return `${formatTime(iso, 'local')} ${formatZone('local', iso)} · ${iso}`
}

/** `UTC`, or the offset this device has at that time: `UTC+02:00`. */
export function formatZone(zone: Zone, iso?: string): string {
  if (zone === 'utc') return 'UTC'
  const offset = -(iso === undefined ? new Date() : new Date(iso)).getTimezoneOffset()
  if (offset === 0) return 'UTC'
  const size = Math.abs(offset)
  return `UTC${offset < 0 ? '−' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

function shownDate(date: Date, zone: Zone): string {
  return zone === 'utc'
    ? date.toISOString().slice(0, 10)
    : `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function shownClock(date: Date, zone: Zone): string {
  return zone === 'utc'
    ? date.toISOString().slice(11, 19)
    : `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
