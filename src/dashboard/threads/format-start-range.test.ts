import { expect, test } from 'vitest'
import { formatStartRange } from './format-start-range'

const after = '2026-01-31T09:30:00Z'
const before = '2026-02-01T00:00:15Z'

test.each([
  [{ window: 'all', after: '', before: '' }, 'any time'],
  [{ window: '24h', after: '', before: '' }, 'in the last 24 h'],
  [{ window: '24h', after, before: '' }, 'after 2026-01-31 09:30'],
  [{ window: 'all', after: '', before }, 'before 2026-02-01 00:00:15'],
  [{ window: 'all', after, before }, '2026-01-31 09:30 to 2026-02-01 00:00:15'],
  // A bar of the overview begins with its first instant.
  [{ window: 'all', after: '2026-01-31T09:59:59.999999Z', before }, '2026-01-31 10:00 to 2026-02-01 00:00:15'],
  [{ window: 'all', after: '2026-01-31T09:59:59.999999Z', before: '' }, 'from 2026-01-31 10:00'],
] as const)('%j reads "%s"', (view, text) => {
  expect(formatStartRange(view, 'utc')).toBe(text)
})
