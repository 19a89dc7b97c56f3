/** What a key does on the review page. `choose` names the key of a choice. `write`: it is the first letter of a text. */
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
  | { choose: string }

/**
 * Where the focus is. `choice`: a radio button, a checkbox or a slider, whose arrows change it, as everywhere. `button`: what
 * Enter presses. `line`: a text or number of one line. `field`: a field as a whole, or nothing.
 */
export type FocusPlace = 'text' | 'line' | 'choice' | 'button' | 'field'

type Key = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean; shiftKey: boolean }

const letters: Readonly<Record<string, ReviewAction>> = { s: 'skip', u: 'undo' }
const arrows: Readonly<Record<string, ReviewAction>> = {
  ArrowLeft: 'previous-item',
  ArrowRight: 'next-item',
  ArrowUp: 'previous-field',
  ArrowDown: 'next-field',
}

/** @example toReviewAction({ key: 'Enter', ctrlKey: true, … }, 'text') // 'done' */
export function toReviewAction({ key, ctrlKey, metaKey, altKey, shiftKey }: Key, place: FocusPlace): ReviewAction | undefined {
  if (ctrlKey || metaKey) return key === 'Enter' && !altKey && !shiftKey ? 'done' : undefined
  const isLetter = place === 'field' && !altKey && /^\p{L}$/u.test(key)
  if (altKey || shiftKey) return isLetter ? 'write' : undefined
  if (key === 'Enter') return place === 'text' || place === 'button' ? undefined : 'commit'
  if (place === 'text' || place === 'line') return key === 'Escape' ? 'leave' : undefined
  if (key in arrows) return place === 'choice' ? undefined : arrows[key]
  const letter = key.toLowerCase()
  return letters[letter] ?? (/^[0-9yn]$/.test(letter) ? { choose: letter } : isLetter ? 'write' : undefined)
}

/** Where an element stands that has the focus. */
export function toFocusPlace(element: Element | null): FocusPlace {
  if (element?.matches('[role=spinbutton], [role=combobox]')) return 'line'
  if (element?.matches('textarea, [contenteditable], input:not([type=radio], [type=checkbox], [type=range])')) return 'text'
  if (element?.matches('input, select')) return 'choice'
  return element?.matches('button, a, summary') ? 'button' : 'field'
}
