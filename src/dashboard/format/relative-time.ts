// Apart from duration.ts, which no first rows need.

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

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
