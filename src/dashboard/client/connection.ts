import { isLoopbackHost } from '../../contract/http'

/**
 * Where the service is and who asks. `baseUrl` '' means the address the dashboard came from; `password` lives in memory
 * and leaves only in the `Authorization` header.
 */
export type Connection = {
  id: string
  name: string
  baseUrl: string
  username: string
  password: string
  projectId: string
}

/** What tells two connections' answers apart, without the secret: fit for query keys and logs. */
export function connectionIdentity({ baseUrl, username }: Connection): { baseUrl: string; username: string } {
  return { baseUrl, username }
}

/** The `Authorization` value, or undefined for a connection without credentials. UTF-8, as RFC 7617 allows servers to expect. */
export function buildAuthorizationHeader({ username, password }: Connection): string | undefined {
  if (username === '' && password === '') return undefined
  const bytes = new TextEncoder().encode(`${username}:${password}`)
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''))}`
}

/** Whether a password would travel readable to another machine: plain http, not this machine, not the page's own address. */
export function wouldExposePassword({ baseUrl, password }: Connection): boolean {
  if (baseUrl === '' || password === '') return false
  const url = URL.parse(baseUrl, globalThis.location?.href)
  if (!url || url.protocol !== 'http:') return false
  return url.origin !== globalThis.location?.origin && !isLoopbackHost(url.hostname)
}
