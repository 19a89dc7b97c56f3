// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { storedValue } from './stored-value'

afterEach(() => {
  vi.restoreAllMocks()
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

test('what full storage does not take is kept until the page is closed, and never hides what is stored later', () => {
  value.write({ text: 'old' })
  const setItem = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  value.write({ text: 'large' })
  expect(value.read()).toEqual({ text: 'large' })
  setItem.mockRestore()
  value.write({ text: 'small' })
  expect(value.read()).toEqual({ text: 'small' })
  value.remove()
  expect(value.read()).toBeUndefined()
})
