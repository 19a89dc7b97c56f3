const longestMs = 60_000

/** What a Retry-After header asks for, in milliseconds and at most a minute: seconds, or a date. Undefined where it says nothing. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const seconds = Number(header)
  const ms = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1000
  return Number.isNaN(ms) ? undefined : Math.min(longestMs, Math.max(0, ms))
}
