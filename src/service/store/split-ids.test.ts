import { expect, test } from 'vitest'
import { splitIds } from './split-ids'

test('ids are split into lists of at most 5000, in their order', () => {
  const ids = Array.from({ length: 10_001 }, (_, index) => String(index))
  const lists = [...splitIds(ids)]
  expect(lists.map(({ length }) => length)).toEqual([5000, 5000, 1])
  expect(lists.flat()).toEqual(ids)
  expect([...splitIds([])]).toEqual([])
})
