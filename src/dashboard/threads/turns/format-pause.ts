import { formatDuration } from '../../format/duration'

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const

/** A length of time in its two largest units, rounded down: `2 h 10 min`, `3 d`, `45 s`. Below a second it is as exact as a duration. */
export function formatPause(milliseconds: number): string {
  // Next to turns of milliseconds, `0 s` would be no pause at all.
  if (milliseconds < 1000) return formatDuration(milliseconds)
  let seconds = Math.floor(milliseconds / 1000)
  const parts: string[] = []
  for (const [unit, size] of units) {
    const amount = Math.floor(seconds / size)
    seconds -= amount * size
    // `3 d 5 s` would look more exact than it helps.
    if (amount > 0) parts.push(`${amount} ${unit}`)
    if (parts.length === 2 || (parts.length === 1 && amount === 0)) break
  }
  return parts.join(' ')
}
