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
  [110, 180, [120, 140, 160, 180]],
  [900, 1300, [1000, 1200]],
  [3, 4, [3, 4]],
  [0.011, 0.019, [0.012, 0.014, 0.016, 0.018]],
  [7, 7, [7]],
])('from %d to %d they are %j', (low, high, ticks) => {
  expect(listLogTicks(low, high, 4)).toEqual(ticks)
})
