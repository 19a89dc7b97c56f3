// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { storedValue } from './stored-value'

afterEach(() => {
  vi.unstubAllGlobals()
  sessionStorage.clear()
})

const value = storedValue(z.object({ text: z.string() }), 'example', 'tab')

test('a value is read as it was written, and one that does not fit is missing', () => {
  expect(value.read()).toBeUndefined()
  value.write({ text: 'typed' })
  expect(value.read()).toEqual({ text: 'typed' })
  sessionStorage.setItem('example', '{"text": 1}')
  expect(value.read()).toBeUndefined()
})

test('what full storage does not take is kept until the page is closed, and leaves no older text behind', () => {
  const texts = new Map([['example', '{"text":"old"}']])
  let isFull = true
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => {
      if (isFull) throw new DOMException('full', 'QuotaExceededError')
      texts.set(key, text)
    },
    removeItem: (key: string) => texts.delete(key),
  })
  expect(value.write({ text: 'large' })).toBe(false)
  expect(value.read()).toEqual({ text: 'large' })
  // After a reload the old text must not come back as the latest.
  expect(texts.size).toBe(0)
  isFull = false
  expect(value.write({ text: 'small' })).toBe(true)
  expect(value.read()).toEqual({ text: 'small' })
  value.remove()
  expect(value.read()).toBeUndefined()
})
