/**
 * The request header that names, percent-encoded, the user whose data a page shows. A session of another user is then
 * refused: all tabs of a browser share one cookie, and another user may have signed in in another tab.
 */
export const sessionUserHeader = 'spool-session-user'

/**
 * How long a `Retry-After` header asks to wait, in milliseconds from `nowMs`: the header holds seconds or an HTTP date.
 * Undefined without a readable header.
 */
export function parseRetryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const seconds = Number(header)
  const ms = Number.isNaN(seconds) ? Date.parse(header) - nowMs : seconds * 1000
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** Whether a URL's `hostname` is this machine, so that plain http exposes no password to a network. */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
  )
}
