// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { render } from '../../../testing/render'
import type { ReviewSession } from './review-session'
import { useReviewKeys } from './use-review-keys'

let close: (() => Promise<void>) | undefined
afterEach(async () => {
  await close?.()
  vi.unstubAllGlobals()
})

/** Fields with the choices 1 to 3. `read` has what each of them was answered, and the name of the element with the focus. */
async function open(names: readonly string[], entered: Record<string, string> = {}) {
  const getState = () => ({ isBusy: false, isRetrying: false })
  const session = { getState, current: { entered } } as unknown as ReviewSession // only these are read
  const area: { current: HTMLDivElement | null } = { current: null }
  function Desk() {
    useReviewKeys(session, area)
    return (
      <main>
        <a href="/threads">Open the thread</a>
        <div ref={area}>
          {names.map((name) => (
            <fieldset key={name} data-answer-field={name} aria-label={name} tabIndex={-1}>
              {['1', '2', '3'].map((key) => (
                <input key={key} type="checkbox" data-choice-key={key} onClick={() => (entered[name] = key)} />
              ))}
            </fieldset>
          ))}
        </div>
        <button type="button" data-review-done aria-label="Done" />
      </main>
    )
  }
  await close?.()
  const { host, unmount } = await render(<Desk />)
  close = unmount
  return {
    focus: (selector: string) => host.querySelector<HTMLElement>(selector)?.focus(),
    blur: () => (document.activeElement as HTMLElement | null)?.blur(), // an element of this page
    press: (...keys: readonly string[]) => {
      for (const key of keys) {
        const target = document.activeElement ?? document.body
        target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
      }
    },
    read: () => ({ entered, focus: document.activeElement?.getAttribute('aria-label') }),
  }
}

test('while the focus is in no field, the arrow after a digit goes to the field below the one that took it', async () => {
  const page = await open(['Tone', 'Helpfulness'])
  page.focus('a')
  page.press('2', 'ArrowDown', '3')
  expect(page.read()).toEqual({ entered: { Tone: '2', Helpfulness: '3' }, focus: 'Helpfulness' })
})

test('so does Enter, and after the last field it goes to the button', async () => {
  const page = await open(['Tone', 'Helpfulness'])
  page.press('2', 'Enter')
  expect(page.read().focus).toBe('Helpfulness')
  page.blur()
  page.press('3', 'Enter')
  expect(page.read()).toEqual({ entered: { Tone: '2', Helpfulness: '3' }, focus: 'Done' })
  page.press('ArrowUp')
  expect(page.read().focus).toBe('Helpfulness')
})

test('digits alone answer one field after the other, and the arrow up goes back from the last one', async () => {
  const page = await open(['Tone', 'Helpfulness', 'Length'])
  page.focus('a')
  page.press('2', '3', 'ArrowUp', '1')
  expect(page.read()).toEqual({ entered: { Tone: '1', Helpfulness: '3' }, focus: 'Tone' })
})

test('without a digit the first arrow enters the field that a digit would answer', async () => {
  const page = await open(['Tone', 'Helpfulness'])
  page.focus('a')
  page.press('ArrowDown', '2', 'ArrowDown', '3')
  expect(page.read()).toEqual({ entered: { Tone: '2', Helpfulness: '3' }, focus: 'Helpfulness' })

  const answered = await open(['Tone', 'Helpfulness'], { Tone: '1' })
  answered.press('ArrowDown')
  expect(answered.read().focus).toBe('Helpfulness')
})

test('the arrow stays in the last field, as it does in the only one', async () => {
  const page = await open(['Tone'])
  page.focus('a')
  page.press('2', 'ArrowDown', 'ArrowDown')
  expect(page.read()).toEqual({ entered: { Tone: '2' }, focus: 'Tone' })

  const done = await open(['Tone', 'Helpfulness'], { Tone: '1', Helpfulness: '1' })
  done.press('ArrowDown')
  expect(done.read().focus).toBe('Tone')
})
