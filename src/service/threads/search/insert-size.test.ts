import { expect, test } from 'vitest'
import { InsertSize } from './insert-size'

test('quick inserts get larger, slow ones smaller, within limits', () => {
  const size = new InsertSize()
  const sizes = [100, 499, 100, 1999, 2001, 5000, 5000].map((ms) => {
    size.note(size.current, ms)
    return size.current
  })
  expect(sizes).toEqual([2000, 4000, 5000, 5000, 2500, 1250, 1000])
})

test('the few calls at the end of a group do not make inserts larger, but smaller where they are slow', () => {
  const size = new InsertSize()
  size.note(7, 1)
  expect(size.current).toBe(1000)
  size.note(1000, 1)
  size.note(7, 3000)
  expect(size.current).toBe(1000)
})
