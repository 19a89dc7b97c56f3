import { formatDuration } from '../../format/duration'

const dayMs = 86_400_000

/** The time between two turns: a duration without parts of a second, from a day on in days and hours: `45 s`, `3 d`, `400 d 1 h`. */
export function formatPause(milliseconds: number): string {
  const hours = Math.floor(milliseconds / 3_600_000)
  // Next to turns of milliseconds, `0 s` would be no pause at all.
  if (milliseconds < 1000 || (milliseconds >= 60_000 && milliseconds < dayMs)) return formatDuration(milliseconds)
  if (milliseconds < dayMs) return `${Math.floor(milliseconds / 1000)} s`
  return `${Math.floor(hours / 24)} d${hours % 24 === 0 ? '' : ` ${hours % 24} h`}`
}
