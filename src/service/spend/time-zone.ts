import type { SpendInterval } from '../../contract/spend'

const hourSeconds = 3600
const daySeconds = 24 * hourSeconds

/**
 * Hours, days, weeks and months of a time zone. Times are in whole seconds since 1970. `Temporal` would do, but Node 20 has
 * none.
 */
export class TimeZone {
  private readonly format: Intl.DateTimeFormat
  /** By hours since 1970: the offset, or undefined where it changes within the hour. */
  private readonly offsetByHour = new Map<number, number | undefined>()

  constructor(name: string) {
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  }

  /** When the interval that `at` is in begins. An hour that comes twice is two, a day begins once. */
  startOf(interval: SpendInterval, at: number): number {
    return interval === 'hour' ? this.startOfHour(at) : this.startOfDate(toFirstDay(at + this.offsetAt(at), interval))
  }

  /** When the interval that begins at `start` ends. */
  endOf(interval: SpendInterval, start: number): number {
    // In the next interval for certain, whose start is to be found.
    const beyond = { hour: 1, day: 27, week: 8 * 24, month: 32 * 24 }[interval] * hourSeconds
    let end = this.startOf(interval, start + beyond)
    // Where the clock was changed, there may be one between.
    for (let between = this.startOf(interval, end - 1); between > start; between = this.startOf(interval, end - 1)) end = between
    return end
  }

  /** ISO 8601 with the offset; in UTC where that is zero, or no whole minutes as before standard time. */
  formatTime(at: number): string {
    const offset = this.offsetAt(at)
    if (offset === 0 || offset % 60 !== 0) return formatSeconds(at, 'Z')
    const minutes = Math.abs(offset) / 60
    const sign = offset < 0 ? '-' : '+'
    return formatSeconds(at + offset, `${sign}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`)
  }

  private startOfHour(at: number): number {
    const offset = this.offsetAt(at)
    const start = at - modulo(at + offset, hourSeconds)
    // Where the clock was changed within the hour, the hour begins with the change.
    return this.offsetAt(start) === offset ? start : this.findChange(start, at)
  }

  /** The first instant of a date, given as the seconds that UTC's clock has at its midnight. */
  private startOfDate(midnight: number): number {
    const starts = [midnight - daySeconds, midnight + daySeconds].map((near) => midnight - this.offsetAt(near))
    const exact = starts.filter((start) => start + this.offsetAt(start) === midnight)
    if (exact.length > 0) return Math.min(...exact)
    // The clock skips midnight: the day begins with the change.
    return this.findChange(Math.min(...starts) - hourSeconds, Math.max(...starts) + hourSeconds)
  }

  /** The first instant with the offset of `last`, where the clock is changed once after `first`. */
  private findChange(first: number, last: number): number {
    const offset = this.offsetAt(last)
    let [before, after] = [first, last]
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (this.offsetAt(middle) === offset) after = middle
      else before = middle
    }
    return after
  }

  /** Seconds that the zone's clock is ahead of UTC's. */
  private offsetAt(at: number): number {
    const hour = Math.floor(at / hourSeconds)
    if (!this.offsetByHour.has(hour)) {
      const first = this.readOffset(hour * hourSeconds)
      const next = this.readOffset((hour + 1) * hourSeconds)
      if (this.offsetByHour.size >= maxKept) this.offsetByHour.clear()
      this.offsetByHour.set(hour, first === next ? first : undefined)
    }
    return this.offsetByHour.get(hour) ?? this.readOffset(at)
  }

  private readOffset(at: number): number {
    const parts = new Map(this.format.formatToParts(at * 1000).map(({ type, value }) => [type, value]))
    const read = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type))
    const local = Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second'))
    return local / 1000 - at
  }
}

const maxKept = 100_000

/** Midnight of the first day of the interval, for the seconds of a local clock. */
function toFirstDay(local: number, interval: Exclude<SpendInterval, 'hour'>): number {
  const day = Math.floor(local / daySeconds)
  if (interval === 'day') return day * daySeconds
  // 1970-01-01 was a Thursday.
  if (interval === 'week') return (day - modulo(day + 3, 7)) * daySeconds
  const date = new Date(day * daySeconds * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1000
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor
}

function formatSeconds(seconds: number, offset: string): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}${offset}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
