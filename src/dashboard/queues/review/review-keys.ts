/**
 * What a key does on the review page. `choose` names the key of a choice. `write`: it is the first letter of a text. `ignore`:
 * nothing, not even what the browser does with it.
 */
export type ReviewAction =
  | 'done'
  | 'skip'
  | 'undo'
  | 'previous-item'
  | 'next-item'
  | 'previous-field'
  | 'next-field'
  | 'commit'
  | 'leave'
  | 'write'
  | 'ignore'
  | { choose: string }

/**
 * Where the focus is. `choice`: a radio button, a checkbox or a slider, whose arrows change it, as everywhere. `button`: what
 * Enter presses. `line`: a text or number of one line. `text-field`: a field as a whole, of a text or a search, which letters
 * begin. `field`: another field as a whole, or one that Escape has left, or nothing.
 */
export type FocusPlace = 'text' | 'line' | 'choice' | 'button' | 'text-field' | 'field'

type Key = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean; shiftKey: boolean; repeat: boolean }

/** What letters are written into. */
export const texts = 'textarea, [role=combobox]'
const letters: Readonly<Record<string, ReviewAction>> = { s: 'skip', u: 'undo' }
const arrows: Readonly<Record<string, ReviewAction>> = {
  ArrowLeft: 'previous-item',
  ArrowRight: 'next-item',
  ArrowUp: 'previous-field',
  ArrowDown: 'next-field',
}

/** @example toReviewAction({ key: 'Enter', ctrlKey: true, … }, 'text') // 'done' */
export function toReviewAction(event: Key, place: FocusPlace): ReviewAction | undefined {
  const action = toAction(event, place)
  if (!event.repeat || action === 'write' || action === 'previous-field' || action === 'next-field') return action
  // A key that is still held would decide items that nobody has looked at.
  return action !== undefined || (place === 'button' && event.key === 'Enter') ? 'ignore' : undefined
}

function toAction({ key, ctrlKey, metaKey, altKey, shiftKey }: Key, place: FocusPlace): ReviewAction | undefined {
  if (ctrlKey || metaKey) return key === 'Enter' && !altKey && !shiftKey ? 'done' : undefined
  const isTextField = place === 'text-field'
  // A question mark opens the help, and a space scrolls the page, here too.
  const isWritten = isTextField ? /^[^\s?]$/u.test(key) : place === 'field' && !altKey && /^\p{L}$/u.test(key)
  if (altKey || shiftKey) return isWritten ? 'write' : undefined
  if (key === 'Enter') return place === 'text' || place === 'button' ? undefined : 'commit'
  if (key === 'Escape' && (place === 'text' || place === 'line' || isTextField)) return 'leave'
  if (place === 'text' || place === 'line') return undefined
  if (key in arrows) return place === 'choice' ? undefined : arrows[key]
  const letter = key.toLowerCase()
  const action = isTextField ? undefined : letters[letter]
  return action ?? (/^[0-9yn]$/.test(letter) ? { choose: letter } : isWritten ? 'write' : undefined)
}

/** Where an element stands that has the focus. `left` is the field that Escape has left. */
export function toFocusPlace(element: Element | null, left?: Element): FocusPlace {
  if (element?.matches('[role=spinbutton], [role=combobox]')) return 'line'
  if (element?.matches('textarea, [contenteditable], input:not([type=radio], [type=checkbox], [type=range])')) return 'text'
  if (element?.matches('input, select')) return 'choice'
  if (element?.matches('button, a, summary')) return 'button'
  return element !== left && element?.matches('[data-answer-field]') && element.querySelector(texts) ? 'text-field' : 'field'
}
