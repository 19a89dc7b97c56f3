import { expect, test } from 'vitest'
import { colourSeries } from './series-colours'

const start = colourSeries(['a', 'b', 'c'], new Map())
const toText = (colours: ReadonlyMap<string, number>) =>
  [...colours]
    .map(([key, colour]) => `${key}${colour}`)
    .toSorted()
    .join(' ')

test('the first chart has the colours in its order', () => {
  expect(toText(start.shown)).toBe('a1 b2 c3')
  expect(start.all).toEqual(start.shown)
})

test('in another window groups keep their colours, whatever their order is there, and new ones get others', () => {
  const day = colourSeries(['c', 'd', 'a'], start.all)
  expect(toText(day.shown)).toBe('a1 c3 d4')
  expect(toText(day.all)).toBe('a1 b2 c3 d4')
})

test('back in the first window all have the colours that they had there, however many others there were', () => {
  let { all } = start
  for (const key of ['d', 'e', 'f', 'g', 'h', 'i']) ({ all } = colourSeries([key, 'a'], all))
  expect(toText(colourSeries(['a', 'b', 'c'], all).shown)).toBe('a1 b2 c3')
  // More groups than colours: two that had the same one do not share it.
  const { shown } = colourSeries(['h', 'b', 'a', 'i'], all)
  expect(toText(shown)).toMatch(/^a1 b2 h. i.$/)
  expect(new Set(shown.values()).size).toBe(4)
})

test('without a new group the colours that are known stay the same object', () => {
  expect(colourSeries(['b'], start.all).all).toBe(start.all)
  expect(colourSeries([], start.all).all).toBe(start.all)
})
