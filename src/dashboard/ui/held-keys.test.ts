// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { afterRelease, ignoreRepeats } from './held-keys'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  window.dispatchEvent(new Event('blur'))
  vi.useRealTimers()
})

const press = (code: string, key = code) => window.dispatchEvent(new KeyboardEvent('keydown', { code, key }))
const release = (code: string, key = code) => window.dispatchEvent(new KeyboardEvent('keyup', { code, key }))

test('the function is called soon where no key is held', () => {
  const then = vi.fn()
  afterRelease(then)
  vi.advanceTimersByTime(1)
  expect(then).toHaveBeenCalledOnce()
})

test('the function is called once, when the last key is released', () => {
  const then = vi.fn()
  press('ControlLeft')
  press('KeyK')
  afterRelease(then)
  vi.advanceTimersByTime(100)
  release('KeyK')
  expect(then).not.toHaveBeenCalled()
  release('ControlLeft')
  vi.advanceTimersByTime(1000)
  expect(then).toHaveBeenCalledOnce()
})

test('the function is called when Meta is released, because macOS then does not report the other key', () => {
  const then = vi.fn()
  press('MetaLeft', 'Meta')
  press('KeyK')
  afterRelease(then)
  release('MetaLeft', 'Meta')
  expect(then).toHaveBeenCalledOnce()
})

test('a key that stays held delays the function by less than half a second; stopping prevents it', () => {
  const then = vi.fn()
  press('KeyK')
  afterRelease(then)
  vi.advanceTimersByTime(499)
  expect(then).toHaveBeenCalledOnce()
  const stopped = vi.fn()
  afterRelease(stopped)()
  release('KeyK')
  vi.advanceTimersByTime(1000)
  expect(stopped).not.toHaveBeenCalled()
})

test('the blur of an element releases no key', () => {
  const then = vi.fn()
  press('Enter')
  document.body.dispatchEvent(new Event('blur'))
  afterRelease(then)
  vi.advanceTimersByTime(100)
  expect(then).not.toHaveBeenCalled()
})

test('repeats of a key are ignored until another key is pressed', () => {
  const seen: string[] = []
  const note = ({ code }: KeyboardEvent) => void seen.push(code)
  document.body.addEventListener('keydown', note)
  const type = (code: string, repeat = false) =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { code, repeat, bubbles: true, cancelable: true }))
  ignoreRepeats()
  expect([type('Enter', true), type('Enter', true)]).toEqual([false, false])
  type('ArrowDown')
  type('ArrowDown', true)
  document.body.removeEventListener('keydown', note)
  expect(seen).toEqual(['ArrowDown', 'ArrowDown'])
})
