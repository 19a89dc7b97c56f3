import { formatCount } from './count'

const secondMs = 1000
const minuteMs = 60 * secondMs

/**
 * Milliseconds under a second (three significant digits), seconds with two decimals to a minute, then `1 min 05 s`, then `2 h 05 min`.
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
  if (wholeSeconds < 3600) return `${Math.floor(wholeSeconds / 60)} min ${twoDigits(wholeSeconds % 60)} s`
  const minutes = Math.round(milliseconds / minuteMs)
  return `${formatCount(String(Math.floor(minutes / 60)))} h ${twoDigits(minutes % 60)} min`
}

/** The exact value: `1,234.567 ms`. */
export function formatExactDuration(milliseconds: number): string {
  const [whole = '0', fraction = ''] = String(Math.round(milliseconds * 1000) / 1000).split('.')
  return `${formatCount(whole)}${fraction && `.${fraction}`} ms`
}

/** Both forms of a duration from a second on: `12.80 s (12,800 ms)`. A line breaks between them only. */
export function formatFullDuration(milliseconds: number): string {
  const exact = formatExactDuration(milliseconds)
  const forms = milliseconds < secondMs ? [exact] : [formatDuration(milliseconds), `(${exact})`]
  return forms.map((form) => form.replaceAll(' ', '\u00A0')).join(' ')
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
