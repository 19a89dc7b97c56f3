import { expect, test } from 'vitest'
import { listLogTicks } from './log-ticks'

test('an axis has as many round numbers as fit', () => {
  expect(listLogTicks(1, 100, 7)).toEqual([1, 2, 5, 10, 20, 50, 100])
  expect(listLogTicks(1, 100, 5)).toEqual([1, 3, 10, 30, 100])
  expect(listLogTicks(1, 100, 3)).toEqual([1, 10, 100])
})

test.each([
  [0.5, 4, [0.5, 1, 2]],
  [1, 1e9, [1, 1000, 1_000_000, 1_000_000_000]],
  [110, 180, [140]],
])('from %d to %d they are %j', (low, high, ticks) => {
  expect(listLogTicks(low, high, 4)).toEqual(ticks)
})
