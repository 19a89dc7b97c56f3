import { formatCount } from './count'

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/**
 * Milliseconds under a second (three significant digits), seconds with two decimals to a minute, then `m ss`, then `h mm`.
 * The unit is chosen after rounding, so that 999.9 ms is 1.00 s and never 1000 ms.
 */
export function formatDuration(milliseconds: number): string {
  if (milliseconds === 0) return '0 ms'
  // Times have microsecond precision, so a shorter duration cannot be measured.
  if (milliseconds < 0.001) return '<0.001 ms'
  const rounded = Number(milliseconds.toPrecision(3))
  if (rounded < secondMs) return `${milliseconds < 0.01 ? rounded : milliseconds.toPrecision(3)} ms`
  const seconds = Math.round(milliseconds / 10) / 100
  if (seconds < 60) return `${seconds.toFixed(2)} s`
  const wholeSeconds = Math.round(milliseconds / secondMs)
  if (wholeSeconds < 3600) return `${Math.floor(wholeSeconds / 60)} m ${twoDigits(wholeSeconds % 60)} s`
  const minutes = Math.round(milliseconds / minuteMs)
  return `${formatCount(String(Math.floor(minutes / 60)))} h ${twoDigits(minutes % 60)} m`
}

/** The exact value: `1,234.567 ms`. */
export function formatExactDuration(milliseconds: number): string {
  const [whole = '0', fraction = ''] = String(Math.round(milliseconds * 1000) / 1000).split('.')
  return `${formatCount(whole)}${fraction && `.${fraction}`} ms`
}

/** A distance in time in one unit, positive for the past: `now`, `12 s ago`, `3 min ago`, `in 5 d`. */
export function formatRelativeTime(milliseconds: number): string {
  const size = Math.abs(milliseconds)
  if (size < 5 * secondMs) return 'now'
  const [amount, unit] =
    size < minuteMs
      ? [size / secondMs, 's']
      : size < hourMs
        ? [size / minuteMs, 'min']
        : size < 24 * hourMs
          ? [size / hourMs, 'h']
          : size < 60 * 24 * hourMs
            ? [size / (24 * hourMs), 'd']
            : size < 730 * 24 * hourMs
              ? [size / (30.44 * 24 * hourMs), 'mo']
              : [size / (365.25 * 24 * hourMs), 'y']
  const text = `${Math.floor(amount)} ${unit}`
  return milliseconds > 0 ? `${text} ago` : `in ${text}`
}

export function formatElapsed(iso: string, now: number): string {
  return formatRelativeTime(now - Date.parse(iso))
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
