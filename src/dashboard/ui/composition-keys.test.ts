// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { hideCompositionKeys } from './composition-keys'

test('keys of a composition reach no handler, and the browser does with them what it does', () => {
  hideCompositionKeys()
  const seen: string[] = []
  document.body.addEventListener('keydown', ({ code }) => void seen.push(code))
  const type = (code: string, init: KeyboardEventInit = {}) =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { code, bubbles: true, cancelable: true, ...init }))
  expect([type('Enter', { isComposing: true }), type('Escape', { keyCode: 229 })]).toEqual([true, true])
  type('Enter')
  expect(seen).toEqual(['Enter'])
})
