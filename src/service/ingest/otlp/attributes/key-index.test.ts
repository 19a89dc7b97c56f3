import { expect, test } from 'vitest'
import type { Json } from './attributes'
import { KeyIndex } from './key-index'

/** The places in one list of items, each read from some keys. */
function findPlaces(keysOfItems: readonly (readonly string[])[], attributes: Record<string, Json>) {
  const index = new KeyIndex()
  const list = index.addList(keysOfItems)
  return index.findPresent(new Map(Object.entries(attributes)))[list]
}

test('the items that a span may fill are found by the attributes that it has', () => {
  const index = new KeyIndex()
  const models = index.addList([['llm.response.model'], ['llm.request.model'], ['model']])
  const tools = index.addList([['tool.name']])
  const present = index.findPresent(new Map([['llm.request.model', 'm']]))
  expect(present[models]).toEqual([1])
  expect(present[tools]).toBeUndefined()
})

test('items are found in the order of their list, each once, whatever the order of the attributes', () => {
  const items = [['b', 'c'], ['a.x'], ['a']]
  expect(findPlaces(items, { a: 1, 'a.x': 2, c: 3, b: 4 })).toEqual([0, 1, 2])
})

test.each<{ attributes: Record<string, Json>; places: number[] | undefined }>([
  { attributes: { 'a.b': 1 }, places: [0] },
  { attributes: { 'a.b.0.role': 1, 'a.b.1.role': 1 }, places: [0] },
  { attributes: { 'a.b.c': 1 }, places: [0, 1] },
  { attributes: { a: { b: 1 } }, places: [0, 1] },
  { attributes: { a: { 'b.c': 1 } }, places: [0, 1] },
  { attributes: { a: [{ b: 1 }] }, places: undefined },
  { attributes: { a: '{"b":1}' }, places: undefined },
  { attributes: { 'a.bc': 1, 'x.a.b': 1, '': 1, '.': 1, 'a..b': 1 }, places: undefined },
])('of the keys a.b and a.b.c, $attributes may have $places', ({ attributes, places }) => {
  expect(findPlaces([['a.b'], ['a.b.c']], attributes)).toEqual(places)
})
