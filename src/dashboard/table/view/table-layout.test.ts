import { expect, test } from 'vitest'
import { getHiddenIds, orderIds } from './table-layout'

const columns = [{ id: 'name' }, { id: 'a' }, { id: 'b', isHiddenByDefault: true }, { id: 'c' }]

test('pinned columns follow the first column, the others keep their order', () => {
  expect(orderIds(columns, { order: [], pinned: ['c'] })).toEqual(['name', 'c', 'a', 'b'])
})

test.each([
  [[], [], ['name', 'a', 'b', 'c']],
  [['c', 'a'], [], ['name', 'c', 'a', 'b']],
  [
    ['removed', 'c', 'name'],
    ['removed', 'b', 'name'],
    ['name', 'b', 'c', 'a'],
  ],
])('order %j with pinned %j gives %j', (order, pinned, ids) => {
  expect(orderIds(columns, { order, pinned })).toEqual(ids)
})

test('the URL decides which columns are hidden, then the device, then the defaults; the first column is never hidden', () => {
  expect(getHiddenIds(columns, undefined, undefined)).toEqual(['b'])
  expect(getHiddenIds(columns, undefined, ['a'])).toEqual(['a'])
  expect(getHiddenIds(columns, [], ['a'])).toEqual([])
  expect(getHiddenIds(columns, ['name', 'c'], undefined)).toEqual(['c'])
})
