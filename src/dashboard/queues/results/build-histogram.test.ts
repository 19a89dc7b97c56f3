import { expect, test } from 'vitest'
import { buildHistogram } from './build-histogram'

const bars = (...values: (readonly [value: number, count: number])[]) =>
  buildHistogram(values.map(([value, count]) => ({ value, count }))).map(({ from, count }) => [from, count])

test('grades have a bar each, also those that nobody gave', () => {
  expect(bars([5, 2], [1, 3], [3, 1])).toEqual([
    [1, 3],
    [2, 0],
    [3, 1],
    [4, 0],
    [5, 2],
  ])
})

test('bars of many whole numbers do not overlap', () => {
  const values = [40, 44, 45, 99].map((value) => ({ value, count: 1 }))
  const [first, second, ...others] = buildHistogram(values)
  expect([first, second]).toEqual([
    { from: 40, to: 49, count: 3 },
    { from: 50, to: 59, count: 0 },
  ])
  expect(others.at(-1)).toEqual({ from: 90, to: 99, count: 1 })
})

test('other numbers share round bars, and every answer is in one', () => {
  expect(bars([0.15, 1], [0.31, 2], [0.9, 4])).toEqual([
    [0.1, 1],
    [0.2, 0],
    [0.3, 2],
    [0.4, 0],
    [0.5, 0],
    [0.6, 0],
    [0.7, 0],
    [0.8, 0],
    [0.9, 4],
  ])
  const many = buildHistogram(Array.from({ length: 500 }, (_, index) => ({ value: index - 250.5, count: 1 })))
  expect(many.length).toBeLessThanOrEqual(12)
  expect(many.reduce((sum, { count }) => sum + count, 0)).toBe(500)
})

test('one number is one bar, and none is none', () => {
  expect(bars([0.25, 7])).toEqual([[0, 7]])
  expect(bars()).toEqual([])
})
