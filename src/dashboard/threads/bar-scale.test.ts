import { expect, test } from 'vitest'
import { getBarScaleMs } from './bar-scale'

const threads = (...durations: (number | null)[]) =>
  durations.map((duration) => ({ p50_turn_duration_ms: duration, p99_turn_duration_ms: duration }))

test.each([
  [[], 0],
  [[null], 0],
  [[0], 0],
  [[5], 5],
  [[1, 2, 3], 3],
  [[1, 2, 3, 4, 5, 6, 7, 8, 9, 30], 30],
  [[1, 2, 3, 4, 5, 6, 7, 8, 8, 376], 10],
  [[1, 376], 376],
  [[2, 2, 2, 2, 2, 2, 2, 2, 376], 2.5],
])('the scale of %j is %d', (durations, scale) => {
  expect(getBarScaleMs(threads(...durations))).toBe(scale)
})
