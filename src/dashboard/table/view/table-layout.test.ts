import { expect, test } from 'vitest'
import { getHiddenIds } from './table-layout'

test('the URL decides which columns are hidden, then the device, then the defaults; the first column is never hidden', () => {
  const columns = [{ id: 'name' }, { id: 'a' }, { id: 'b', isHiddenByDefault: true }, { id: 'c' }]
  expect(getHiddenIds(columns, { hidden: undefined }, {})).toEqual(['b'])
  expect(getHiddenIds(columns, { hidden: undefined }, { hidden: ['a'] })).toEqual(['a'])
  expect(getHiddenIds(columns, { hidden: [] }, { hidden: ['a'] })).toEqual([])
  expect(getHiddenIds(columns, { hidden: ['name', 'c'] }, {})).toEqual(['c'])
})
