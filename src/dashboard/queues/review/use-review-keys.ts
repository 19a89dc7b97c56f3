import { useEffect } from 'react'
import { retryNow } from '../../client/retry-schedule'
import { ignoreRepeats } from '../../ui/held-keys'
import { isPageCovered } from '../../ui/ignores-letters'
import { texts, toFocusPlace, toReviewAction } from './review-keys'
import type { ReviewSession } from './review-session'

export function listFields(area: HTMLElement | null): HTMLElement[] {
  return [...(area?.querySelectorAll<HTMLElement>('[data-answer-field]') ?? [])]
}

/** Who writes while the answers are being stored does not mean the next item, until they pause for so long. */
const pauseMs = 300

const typed = `[role=spinbutton], ${texts}`
const unanswered = 'textarea, [role=spinbutton], [data-unanswered] [role=combobox]'

function find(field: HTMLElement | null | undefined, selector: string): HTMLElement | null | undefined {
  return field?.querySelector<HTMLElement>(selector)
}

/** The keys of the page. They do nothing in a dialog, a menu or outside the page's main part. */
export function useReviewKeys(session: ReviewSession, area: { current: HTMLDivElement | null }): void {
  useEffect(() => {
    let left: HTMLElement | undefined
    /** The field that the last digit answered while the focus was in no field. */
    let lastAnswered: HTMLElement | undefined
    let lostAt = -pauseMs
    const onKeyDown = (event: KeyboardEvent) => {
      const { activeElement } = document
      const isElsewhere = activeElement !== document.body && !activeElement?.closest('main')
      if (event.defaultPrevented || isElsewhere || isPageCovered()) return
      const { isBusy, isRetrying } = session.getState()
      const isTyped = event.key.length === 1 && !event.ctrlKey && !event.metaKey
      const isWriting = event.timeStamp - lostAt < pauseMs
      if (isTyped && session.current && (isWriting || (isBusy && !isRetrying))) {
        // A key that chooses is pressed again at once.
        if (isWriting || activeElement?.matches(typed)) lostAt = event.timeStamp
        event.preventDefault()
        return
      }
      const field = activeElement?.closest<HTMLElement>('[data-answer-field]') ?? undefined
      if (activeElement !== left) left = undefined
      if (field) lastAnswered = undefined
      const action = toReviewAction(event, toFocusPlace(activeElement, left))
      if (action === undefined) return
      const fields = listFields(area.current)
      const isOpen = ({ dataset }: HTMLElement) => session.current?.entered[dataset['answerField'] ?? ''] === undefined
      const chosen = typeof action === 'object' ? choose(action.choose, field ? [field] : fields.filter(isOpen)) : undefined
      if (!field) lastAnswered = chosen ?? lastAnswered
      // Arrows and Enter go on from the field of the last digit, or else to the one that the next digit would answer.
      const from = field ?? lastAnswered
      const index = from ? fields.indexOf(from) : -1
      const nextIndex = index < 0 ? Math.max(0, fields.findIndex(isOpen)) : index + 1
      if (action === 'write' || (typeof action === 'object' && !chosen)) {
        // It begins a text, or a number if it is a digit: the browser writes it where the focus is then.
        find(field, /\d/.test(event.key) ? typed : texts)?.focus()
        return
      }
      if (action === 'done' && isRetrying) retryNow()
      else if (action === 'done' || action === 'skip' || action === 'undo') void session[action]()
      else if (action === 'previous-item') void session.step(-1)
      else if (action === 'next-item') void session.step(1)
      else if (action === 'leave') {
        left = field
        field?.focus()
      } else if (action === 'previous-field') fields.at(index < 0 ? -1 : Math.max(0, index - 1))?.focus()
      else if (action === 'next-field') fields[Math.min(fields.length - 1, nextIndex)]?.focus()
      else if (action === 'commit') {
        // In a text they would be line breaks.
        ignoreRepeats()
        lastAnswered = undefined
        const next = fields[nextIndex] ?? document.querySelector<HTMLElement>('[data-review-done]')
        // What is typed after Enter is text, never shortcuts. Enter on a field with a list that is answered goes on.
        const input = (activeElement === field && find(field, unanswered)) || find(next, typed)
        ;(input ?? next)?.focus()
      }
      event.preventDefault()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [session, area])
}

/** Presses what this key chooses in the first of these fields that has such a choice. Returns the field. */
function choose(key: string, fields: readonly HTMLElement[]): HTMLElement | undefined {
  return fields.find((field) => {
    const choice = find(field, `[data-choice-key="${key}"]`)
    choice?.click()
    // Of a long list only what is in view can be chosen.
    return choice ?? (/\d/.test(key) && find(field, '[role=listbox]'))
  })
}
