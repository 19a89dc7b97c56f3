import { formatVisibleText, splitEnd } from './visible-text'

type Props = {
  text: string
  /** Where it does not fit on its line, it is cut in the middle: ids often differ only at their end. */
  isOneLine?: boolean
  /** For the tooltip, where the text is only a part of it. */
  title?: string
}

/** An id or name from outside: nothing in it is invisible, and its direction stays its own. The tooltip has all of it. */
export function ForeignText({ text, isOneLine = false, title = text }: Props) {
  const shown = formatVisibleText(text)
  const whole = formatVisibleText(title)
  const ends = isOneLine ? splitEnd(shown) : undefined
  if (!ends) return <bdi title={whole}>{shown}</bdi>
  // CSS draws the two ends if it has to: copies, searches and screen readers get the text once and whole.
  return (
    <bdi title={whole} className="cut-text">
      <span aria-hidden="true" data-head={ends.head} data-tail={ends.tail} />
      <span>{shown}</span>
    </bdi>
  )
}
