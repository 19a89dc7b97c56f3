import { expect, test } from 'vitest'
import { getBarScaleMs } from './bar-scale'

const threads = (...durations: (number | null)[]) =>
  durations.map((duration) => ({ p50_turn_duration_ms: duration, p99_turn_duration_ms: duration }))

test('the longest p99 on screen is a full bar, and a single outlier does not shorten the others', () => {
  expect(getBarScaleMs(threads(1, 2, 3))).toBe(3)
  expect(getBarScaleMs(threads(2, 2, 2, 2, 2, 2, 2, 2, 376))).toBe(2.5)
})

test('threads with the same figures have no bars, unless their p50 differ', () => {
  expect(getBarScaleMs(threads(5, 5, null, 5))).toBe(0)
  expect(getBarScaleMs([...threads(5), { p50_turn_duration_ms: 1, p99_turn_duration_ms: 5 }])).toBe(5)
})

test.each([
  [[], 0],
  [[null], 0],
  [[0], 0],
  [[5], 0],
  [[1, 2, 3, 4, 5, 6, 7, 8, 9, 30], 30],
  [[1, 2, 3, 4, 5, 6, 7, 8, 8, 376], 10],
  [[1, 376], 376],
])('the scale of %j is %d', (durations, scale) => {
  expect(getBarScaleMs(threads(...durations))).toBe(scale)
})
