/** The code of a sign-in link, taken out of the address at once so that it stays in no history, bookmark or copy. */
export function takeSignInCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (!code) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  return code
}
