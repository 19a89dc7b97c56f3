/**
 * Whether anything answers at another origin. Its answer cannot be read (`no-cors`) and carries no credentials; that there
 * is one at all means that the server is up and forbids this page to read it.
 */
export async function isThere(baseUrl: string): Promise<boolean> {
  const url = URL.parse(baseUrl, location.href)
  if (!url || url.origin === location.origin) return false
  try {
    await fetch(url, { mode: 'no-cors', credentials: 'omit', cache: 'no-store', signal: AbortSignal.timeout(5000) })
    return true
  } catch {
    return false
  }
}
