import { array, integer, record } from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../../testing/test-property'
import { sortInSlices } from './sort-in-slices'

test('a long list is sorted while others have their turn', async () => {
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  const items = Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 300_007)
  const sorted = await sortInSlices(items, (left, right) => left - right)
  clearInterval(timer)
  expect(sorted).toEqual(items.toSorted((left, right) => left - right))
  expect(turns).toBeGreaterThan(3)
})

testProperty(
  'the result is that of toSorted, equal items in their order included',
  array(record({ key: integer({ min: 0, max: 9 }), id: integer() }), { maxLength: 3000, size: 'max' }),
  { runs: 30 },
  async (items) => {
    const compare = (left: { key: number }, right: { key: number }) => left.key - right.key
    expect(await sortInSlices(items, compare)).toEqual(items.toSorted(compare))
  },
)
