import { expect, test } from 'vitest'
import { isPartial, needsMessage, type TableData } from './table-data'

const complete: TableData<number> = {
  rows: [1, 2, 3],
  hasMore: false,
  readCount: 3,
  isFetching: false,
  isPlaceholder: false,
  isComplete: true,
  brokenLines: [],
  error: null,
  updatedAt: 1,
  rowsView: { sort: [], page: 1, size: 50 },
  refetch: () => Promise.resolve(),
  cancel: () => undefined,
}

test.each([
  ['complete rows', {}, { message: false, partial: false }],
  ['an interrupted response', { isComplete: false }, { message: false, partial: true }],
  ['rows still arriving', { isComplete: false, isFetching: true }, { message: false, partial: false }],
  ['a failed refresh', { error: new Error('refresh failed') }, { message: false, partial: true }],
  ['an unreadable line', { brokenLines: [{ line: 2, text: '{', reason: 'Not JSON.' }] }, { message: false, partial: true }],
  ['an empty list', { rows: [] }, { message: true, partial: false }],
  ['an empty list that is read again', { rows: [], isFetching: true }, { message: true, partial: false }],
  [
    'an empty list, while another view loads',
    { rows: [], isFetching: true, isPlaceholder: true },
    { message: false, partial: false },
  ],
  ['an interrupted response without rows', { rows: [], isComplete: false }, { message: false, partial: true }],
  ['a failed refresh that is sent again', { error: new Error('down'), isFetching: true }, { message: false, partial: true }],
  [
    'a failed first request that is sent again',
    { rows: undefined, error: new Error('down'), isFetching: true },
    { message: true, partial: false },
  ],
  ['a failed first request', { rows: undefined, isComplete: false }, { message: true, partial: false }],
  ['the first request', { rows: undefined, isComplete: false, isFetching: true }, { message: false, partial: false }],
])('%s: a message or a partial banner only where it is needed', (_, change, { message, partial }) => {
  const data = { ...complete, ...change }
  expect(needsMessage(data)).toBe(message)
  expect(isPartial(data)).toBe(partial)
})
