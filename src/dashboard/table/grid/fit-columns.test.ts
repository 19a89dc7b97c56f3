import { describe, expect, test } from 'vitest'
import { getMinHeaderWidth } from './use-column-model'
import { arrangeWidths, fitColumns } from './fit-columns'

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

describe('widths', () => {
  const arranged = ['thread', 'turns', 'p50'].map((id) => ({ column: { id }, width: id === 'thread' ? 260 : 100 }))
  const layout = { widths: {}, pinned: [] }
  const widthsIn = (tableWidth: number, chosen: Partial<Parameters<typeof arrangeWidths>[1]> = {}, firstMin?: number) =>
    arrangeWidths(arranged, { ...layout, ...chosen }, { tableWidth, firstMin })

  test('the first column takes what the others leave, up to 300 pixels', () => {
    expect(widthsIn(436)).toEqual({ first: 200, table: 436 })
    expect(widthsIn(1200)).toEqual({ first: 300, table: 1200 })
  })

  test('in a place that is too narrow, the table is wider and still shows names', () => {
    expect(widthsIn(300)).toEqual({ first: 120, table: 356 })
    expect(widthsIn(380)).toEqual({ first: 144, table: 380 })
    expect(widthsIn(300, {}, 200)).toEqual({ first: 200, table: 436 })
  })

  test('a chosen width stays, and so does the own width beside a pinned column', () => {
    expect(widthsIn(1200, { widths: { thread: 260 } })).toEqual({ first: 260, table: 1200 })
    expect(widthsIn(400, { pinned: ['turns'] })).toEqual({ first: 260, table: 496 })
  })
})
