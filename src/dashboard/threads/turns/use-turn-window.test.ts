import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../../../testing/test-property'
import { findRows } from './use-turn-window'

test('the rows of a window are those that it touches', () => {
  const offsets = [0, 10, 40, 50, 60]
  expect(findRows(offsets, 10, 50)).toEqual({ first: 1, last: 2 })
  expect(findRows(offsets, -100, 5)).toEqual({ first: 0, last: 0 })
  expect(findRows([0], 0, 100)).toEqual({ first: 0, last: -1 })
})

testProperty(
  'any window has the rows that a look at each of them finds',
  fc.record({ heights: fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 50 }), top: fc.integer({ min: -50, max: 3000 }) }),
  { runs: 300 },
  ({ heights, top }) => {
    const offsets = [0]
    for (const height of heights) offsets.push((offsets.at(-1) ?? 0) + height)
    const bottom = top + 200
    const expected = heights.flatMap((height, index) => {
      const from = offsets[index] ?? 0
      return from < bottom && from + height > top ? index : []
    })
    const { first, last } = findRows(offsets, top, bottom)
    expect(Array.from({ length: last - first + 1 }, (_, index) => first + index)).toEqual(expected)
  },
)
