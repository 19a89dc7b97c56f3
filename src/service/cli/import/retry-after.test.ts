import { expect, test } from 'vitest'
import { retryAfterMs } from './retry-after'

const now = Date.parse('2026-01-31T09:30:00Z')

test.each([
  [null, undefined],
  ['', undefined],
  ['soon', undefined],
  ['0', 0],
  ['5', 5000],
  ['1.5', 1500],
  ['86400', 60_000],
  ['-1', 0],
  ['Sat, 31 Jan 2026 09:30:07 GMT', 7000],
  ['Sat, 31 Jan 2026 09:00:00 GMT', 0],
])('%s', (header, ms) => {
  expect(retryAfterMs(header, now)).toBe(ms)
})
