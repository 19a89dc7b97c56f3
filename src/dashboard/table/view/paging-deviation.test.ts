import { expect, test } from 'vitest'
import { describeDeviation, findDeviation, findDeviationByNeighbors } from './paging-deviation'

const page = (...values: unknown[]) => ({ rows: values.map((value) => ({ value })), brokenLines: [] })
const desc = [{ id: 'value', direction: 'desc' as const }]

test('a service that sends more rows than asked for ignores the limit', () => {
  expect(findDeviation(page(3, 2, 1), 2, [])).toBe('limit')
  expect(describeDeviation('limit', 1300, false)).toBe(
    'This service sends more rows than asked for: all its 1,300 rows were read, and they are sorted and paged here.',
  )
  expect(describeDeviation('offset', 1, false)).toBeUndefined()
})

test.each([
  ['numbers in order', page(3, 2, 2, 1), undefined],
  ['numbers out of order', page(1, 2), 'sort'],
  ['times in order', page('2026-01-01T00:00:00.000001Z', '2026-01-01T00:00:00Z'), undefined],
  ['times out of order', page('2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000001Z'), 'sort'],
  ['unknown values anywhere', page(null, 3, null, 2), undefined],
  ['text, which services order in many ways', page('a', 'B', 'c'), undefined],
] as const)('%s', (_, rows, deviation) => {
  expect(findDeviation(rows, 10, desc)).toBe(deviation)
})

test('unreadable lines may be pieces of one row, so they say nothing about the limit', () => {
  const brokenLines = [{ line: 1, text: '', reason: '' }]
  expect(findDeviation({ rows: [{}], brokenLines }, 1, [])).toBeUndefined()
})

test.each([
  ['nothing after a short page: it is the last one', 0, {}, undefined],
  ['another row after a short page: the service caps the limit', 0, { next: { value: 9 } }, 'cap'],
  ['the same row at two places: the service ignores the offset', 0, { next: { value: 1 } }, 'offset'],
  ['a second page that starts as the first', 50, { first: { value: 1 } }, 'offset'],
  ['a second page of its own', 50, { first: { value: 9 } }, undefined],
] as const)('%s', (_, offset, neighbors, deviation) => {
  expect(findDeviationByNeighbors([{ value: 1 }], offset, { first: undefined, next: undefined, ...neighbors })).toBe(deviation)
})
