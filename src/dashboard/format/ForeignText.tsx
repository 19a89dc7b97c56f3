import { formatVisibleText } from './visible-text'

/** An id or name from outside: nothing in it is invisible, and its direction stays its own. The tooltip has all of it. */
export function ForeignText({ text }: { text: string }) {
  const shown = formatVisibleText(text)
  return <bdi title={shown}>{shown}</bdi>
}
