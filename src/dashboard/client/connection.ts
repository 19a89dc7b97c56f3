import { isLoopbackHost } from '../../contract/http'

/**
 * A server, a user and a project. `baseUrl` '' means the server that the dashboard came from: there the password is '' and a
 * session cookie stands for it, unless that server has no sessions. The password leaves the page only in the
 * `Authorization` header.
 */
export type Connection = {
  id: string
  name: string
  baseUrl: string
  username: string
  password: string
  projectId: string
}

/** The part of a connection that decides about the data, without the secret: safe in query keys and logs. */
export function connectionIdentity({ baseUrl, username }: Connection): { baseUrl: string; username: string } {
  return { baseUrl, username }
}

/** Whether requests are sent with the session cookie instead of a password. */
export function usesSession({ baseUrl, password }: Connection): boolean {
  return baseUrl === '' && password === ''
}

/** Basic credentials in UTF-8 (RFC 7617, section 2.1); undefined for a connection without credentials. */
export function buildAuthorizationHeader({ username, password }: Connection): string | undefined {
  if (username === '' && password === '') return undefined
  const bytes = new TextEncoder().encode(`${username}:${password}`)
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''))}`
}

/** Whether others could read the password: plain http to another host than this machine or the page's own. */
export function wouldExposePassword({ baseUrl, password }: Connection): boolean {
  if (baseUrl === '' || password === '') return false
  const url = URL.parse(baseUrl, globalThis.location?.href)
  if (!url || url.protocol !== 'http:') return false
  return url.origin !== globalThis.location?.origin && !isLoopbackHost(url.hostname)
}
