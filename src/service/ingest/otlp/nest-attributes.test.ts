import { expect, test } from 'vitest'
import type { Json } from './message'
import { nestAttributes } from './nest-attributes'

const deepKey = Array.from({ length: 17 }, (_, index) => `k${index}`).join('.')

test.each<[Record<string, Json>, unknown]>([
  [{}, {}],
  [
    { 'a.b': 1, 'a.c.d': 2, e: [1] },
    { a: { b: 1, c: { d: 2 } }, e: [1] },
  ],
  [{ 'a.1': 'y', 'a.0': 'x' }, { a: ['x', 'y'] }],
  [{ 'a.1': 'y', 'a.2': 'x' }, { a: { 1: 'y', 2: 'x' } }],
  [{ 'a.4294967295': 1 }, { a: { 4294967295: 1 } }],
  [
    { 'a.b.c': 2, 'a.b': 1 },
    { a: { b: 1 }, 'a.b.c': 2 },
  ],
  [
    { a: { b: 1 }, 'a.c': 2 },
    { a: { b: 1 }, 'a.c': 2 },
  ],
  [
    { '': 1, '.': 2, 'a.': 3, 'a..b': 4 },
    { '': 1, '.': 2, 'a.': 3, 'a..b': 4 },
  ],
  [{ [deepKey]: 1 }, { [deepKey]: 1 }],
])('%j is placed as its dotted keys mean it', (attributes, expected) => {
  expect(nestAttributes(new Map(Object.entries(attributes)))).toEqual(expected)
  expect(nestAttributes(new Map(Object.entries(attributes).toReversed()))).toEqual(expected)
})

test('keys that mean something to JavaScript are own names', () => {
  const placed = nestAttributes(new Map([['__proto__.x', 1]]))
  expect(JSON.stringify(placed)).toBe('{"__proto__":{"x":1}}')
  expect(Object.getPrototypeOf(placed)).toBe(Object.prototype)
})
