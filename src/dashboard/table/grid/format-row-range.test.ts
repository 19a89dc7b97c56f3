import { expect, test } from 'vitest'
import type { TableData } from '../view/table-data'
import { needsMessage, isPartial } from '../view/table-data'
import { countNewer } from '../view/held-answer'
import { formatRowRange } from './format-row-range'

function answer(part: Partial<TableData<number>>): TableData<number> {
  return {
    rows: [1, 2, 3],
    hasMore: false,
    readCount: 3,
    isFetching: false,
    isPrevious: false,
    isComplete: true,
    brokenLines: [],
    error: null,
    updatedAt: 1,
    refetch: () => Promise.resolve(),
    cancel: () => undefined,
    ...part,
  }
}

test.each([
  [{ hasMore: true }, 'Rows 51–53, more follow'],
  [{}, 'Rows 51–53, end of list'],
  [{ isComplete: false }, 'Rows 51–53'],
  [{ total: 1517 }, 'Rows 51–53 of 1,517'],
  [{ rows: [] }, 'No rows'],
  [{ rows: undefined }, ''],
])('%j on page 2 reads "%s"', (part, text) => {
  expect(formatRowRange(answer(part), { page: 2, size: 50 })).toBe(text)
})

test.each([
  [{}, false, false],
  [{ isComplete: false }, false, true],
  [{ isComplete: false, isFetching: true }, false, false],
  [{ error: new Error('refresh failed') }, false, true],
  [{ brokenLines: [{ line: 2, text: '{', reason: 'Not JSON.' }] }, false, true],
  [{ rows: [] }, true, false],
  [{ rows: [], isComplete: false }, false, true],
  [{ rows: undefined, isComplete: false }, true, false],
  [{ rows: undefined, isComplete: false, isFetching: true }, false, false],
])('%j: words in place of rows %s, partial %s', (part, isEmpty, isCut) => {
  expect(needsMessage(answer(part))).toBe(isEmpty)
  expect(isPartial(answer(part))).toBe(isCut)
})

test('new and changed rows are newer, moved ones are not', () => {
  const row = (id: string, turns: number) => ({ id, turns })
  const shown = [row('a', 1), row('b', 2)]
  expect(countNewer([row('c', 1), row('b', 3), row('a', 1)], shown, ({ id }) => id)).toBe(2)
  expect(countNewer([row('b', 2), row('a', 1)], shown, ({ id }) => id)).toBe(0)
})
