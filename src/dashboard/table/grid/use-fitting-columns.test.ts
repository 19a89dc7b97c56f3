import { expect, test } from 'vitest'
import { getMinHeaderWidth } from './use-column-model'
import { fitColumns } from './use-fitting-columns'

const columns = ['thread', 'turns', 'p50', 'p99', 'updated'].map((id) => ({ id, width: 100 }))
const idsThatFit = (width: number, ...sortedIds: string[]) => fitColumns(columns, new Set(sortedIds), width).map(({ id }) => id)

test('columns that do not fit are left out from the end, but never the one that sorts the rows', () => {
  expect(idsThatFit(500)).toEqual(['thread', 'turns', 'p50', 'p99', 'updated'])
  expect(idsThatFit(320)).toEqual(['thread', 'turns', 'p50'])
  expect(idsThatFit(320, 'updated')).toEqual(['thread', 'turns', 'updated'])
})

test('the first column and the sorted ones stay even where they have too little room', () => {
  expect(idsThatFit(50, 'p99', 'updated')).toEqual(['thread', 'p99', 'updated'])
})

test('a narrower column does not take the place of a wider one before it', () => {
  const widths = [100, 300, 50].map((width, index) => ({ id: String(index), width }))
  expect(fitColumns(widths, new Set(), 200).map(({ id }) => id)).toEqual(['0'])
})

test('a header has room for its longest word, a menu and a sort mark', () => {
  expect(getMinHeaderWidth('Completion price', true)).toBe(getMinHeaderWidth('Completion', true))
  expect(getMinHeaderWidth('Completion', true)).toBeGreaterThan(getMinHeaderWidth('p50', true))
  expect(getMinHeaderWidth('Completion', true)).toBeGreaterThan(getMinHeaderWidth('Completion', false))
})
