import { expect, test } from 'vitest'
import { hiddenColumns, orderOf } from './use-column-model'

const columns = [{ id: 'name' }, { id: 'a' }, { id: 'b', isHiddenAtFirst: true }, { id: 'c' }]
const untouched = { order: [], pinned: [], widths: {}, refreshSeconds: 0 }

test.each([
  [[], [], ['name', 'a', 'b', 'c']],
  [['c', 'a'], [], ['name', 'c', 'a', 'b']],
  [[], ['c'], ['name', 'c', 'a', 'b']],
  [
    ['gone', 'c', 'name'],
    ['gone', 'b', 'name'],
    ['name', 'b', 'c', 'a'],
  ],
])('moved %j and pinned %j are drawn as %j', (order, pinned, drawn) => {
  expect(orderOf(columns, { order, pinned })).toEqual(drawn)
})

test('the address says what is hidden, then the device, then the columns', () => {
  expect(hiddenColumns(columns, { hidden: undefined }, untouched)).toEqual(['b'])
  expect(hiddenColumns(columns, { hidden: undefined }, { ...untouched, hidden: ['a'] })).toEqual(['a'])
  expect(hiddenColumns(columns, { hidden: [] }, { ...untouched, hidden: ['a'] })).toEqual([])
  expect(hiddenColumns(columns, { hidden: ['name', 'c'] }, untouched)).toEqual(['c'])
})
