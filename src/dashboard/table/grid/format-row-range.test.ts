import { expect, test } from 'vitest'
import { formatRowRange } from './format-row-range'

const rows = [1, 2, 3]
const page2 = { page: 2, size: 50, sort: [] }

test.each([
  [{ rows, hasMore: true, isComplete: true }, 'Rows 51–53, more follow'],
  [{ rows, hasMore: false, isComplete: true }, 'Rows 51–53, end of list'],
  [{ rows, hasMore: false, isComplete: false }, 'Rows 51–53'],
  [{ rows, hasMore: false, isComplete: true, total: 1517 }, 'Rows 51–53 of 1,517'],
  [{ rows: [], hasMore: false, isComplete: true }, 'No rows'],
  [{ rows: undefined, hasMore: false, isComplete: false }, ''],
])('%j on page 2 reads "%s"', (data, text) => {
  expect(formatRowRange({ ...data, rowsView: page2 })).toBe(text)
})
