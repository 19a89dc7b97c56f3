/**
 * Whether anything answers at another origin. The answer cannot be read (`no-cors`) and carries no credentials, but that
 * there is one tells "down" from "does not allow this page".
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
