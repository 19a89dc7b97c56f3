import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../../../testing/test-property'
import { sortRowIndexes } from './sort-row-indexes'

type Row = { name: string | null; cost: number | null }
const getValue = (row: Row, id: string) => (id === 'name' ? row.name : row.cost)
const rows: Row[] = [
  { name: 'b', cost: 3 },
  { name: 'a', cost: null },
  { name: 'b', cost: 1 },
  { name: null, cost: 3 },
  { name: 'a', cost: 0 },
]

test('unknown values are last in both directions', () => {
  expect([...sortRowIndexes(rows, [{ id: 'cost', direction: 'asc' }], getValue)]).toEqual([4, 2, 0, 3, 1])
  expect([...sortRowIndexes(rows, [{ id: 'cost', direction: 'desc' }], getValue)]).toEqual([0, 3, 2, 4, 1])
})

test('the second key orders rows that the first leaves equal', () => {
  const keys = [
    { id: 'name', direction: 'desc' },
    { id: 'cost', direction: 'asc' },
  ] as const
  expect([...sortRowIndexes(rows, keys, getValue)]).toEqual([2, 0, 4, 1, 3])
})

test('without keys the order does not change', () => {
  expect([...sortRowIndexes(rows, [], getValue)]).toEqual([0, 1, 2, 3, 4])
})

testProperty(
  'text is sorted by its UTF-8 bytes, as the server sorts it',
  fc.array(fc.string({ unit: 'binary', maxLength: 4 })),
  { runs: 100 },
  (names) => {
    const order = sortRowIndexes(names, [{ id: 'name', direction: 'asc' }], (name) => name)
    const expected = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    expect(Array.from(order, (index) => names[index])).toEqual(expected)
  },
)

// Measured: 0.1 s; quadratic work would take minutes. The limit leaves room for a busy machine.
test('20,000 rows are sorted by three keys within three seconds', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => ({ name: `model-${index % 977}`, cost: (index * 7919) % 101 }))
  const start = performance.now()
  sortRowIndexes(
    many,
    [
      { id: 'cost', direction: 'desc' },
      { id: 'name', direction: 'asc' },
      { id: 'cost', direction: 'asc' },
    ],
    getValue,
  )
  expect(performance.now() - start).toBeLessThan(3000)
})
