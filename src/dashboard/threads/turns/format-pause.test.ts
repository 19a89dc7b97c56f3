import { expect, test } from 'vitest'
import { formatPause } from './format-pause'

test.each([
  [7_800_000, '2 h 10 min'],
  [355.2, '355 ms'],
  [0.4, '0.400 ms'],
  [1000, '1 s'],
  [45_900, '45 s'],
  [60_000, '1 min 00 s'],
  [61_000, '1 min 01 s'],
  [3_605_000, '1 h 00 min'],
  [86_400_000 * 3 + 5000, '3 d'],
  [86_400_000 * 400 + 3_600_000, '400 d 1 h'],
])('%d ms is %s', (ms, text) => {
  expect(formatPause(ms)).toBe(text)
})
