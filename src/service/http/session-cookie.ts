type Header = (name: string) => string | undefined

/**
 * The name of the session cookie. Cookies ignore ports, so two Spools on one host would overwrite each other's cookie
 * without the port in its name.
 */
function cookieName(header: Header): string {
  const port = /:(\d{1,5})$/.exec(header('host') ?? '')?.[1]
  return port === undefined ? 'spool_session' : `spool_session_${port}`
}

/** The token in the session cookie of a request; undefined without one. */
export function readSessionToken(header: Header): string | undefined {
  const prefix = `${cookieName(header)}=`
  const pairs = (header('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length)
}

/** A Set-Cookie header. Without `maxAgeSeconds` the browser forgets the cookie when it closes. */
export function formatSessionCookie(header: Header, token: string, maxAgeSeconds?: number): string {
  // Only a proxy speaks https, and the service cannot see it. The page's origin tells, and no page can forge that.
  const isSecure = header('origin')?.startsWith('https:') ?? false
  return [
    `${cookieName(header)}=${token}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    ...(isSecure ? ['Secure'] : []),
    ...(maxAgeSeconds === undefined ? [] : [`Max-Age=${maxAgeSeconds}`]),
  ].join('; ')
}

/** A Set-Cookie header that deletes the session cookie. */
export function formatEndedCookie(header: Header): string {
  return formatSessionCookie(header, '', 0)
}
