import { expect, test } from 'vitest'
import { formatRelativeTime } from './relative-time'

test.each([
  [0, 'now'],
  [12_000, '12 s ago'],
  [-180_000, 'in 3 min'],
  [2 * 3_600_000, '2 h ago'],
  [5 * 86_400_000, '5 d ago'],
  [100 * 86_400_000, '3 mo ago'],
  [1000 * 86_400_000, '2 y ago'],
])('a distance of %d ms is formatted as %s', (milliseconds, text) => {
  expect(formatRelativeTime(milliseconds)).toBe(text)
})
