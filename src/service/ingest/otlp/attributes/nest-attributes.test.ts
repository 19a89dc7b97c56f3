import { expect, test } from 'vitest'
import type { Json } from './attributes'
import { nestAttributes } from './nest-attributes'

test('dotted keys become nested objects, and numbered keys a list', () => {
  const attributes = new Map<string, Json>([
    ['llm.model', 'gpt-4o'],
    ['llm.messages.0.role', 'user'],
    ['llm.messages.1.role', 'assistant'],
  ])
  expect(nestAttributes(attributes)).toEqual({ llm: { model: 'gpt-4o', messages: [{ role: 'user' }, { role: 'assistant' }] } })
})

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
  [{ a: { b: 1 }, 'a.c': 2 }, { a: { b: 1, c: 2 } }],
  [
    { '': 1, '.': 2, 'a.': 3, 'a..b': 4 },
    { '': 1, '.': 2, 'a.': 3, 'a..b': 4 },
  ],
  [{ [deepKey]: 1 }, { [deepKey]: 1 }],
  [
    { a: { 'b.c': 1 }, 'a.b': { d: 2 }, 'a.list': { 0: 'x', 1: 'y' }, e: {}, f: [{ 'g.h': 1 }] },
    { a: { b: { c: 1, d: 2 }, list: ['x', 'y'] }, e: {}, f: [{ 'g.h': 1 }] },
  ],
])('%j is nested by its dotted keys', (attributes, expected) => {
  expect(nestAttributes(new Map(Object.entries(attributes)))).toEqual(expected)
  expect(nestAttributes(new Map(Object.entries(attributes).toReversed()))).toEqual(expected)
})

test('keys such as __proto__ become own properties', () => {
  const nested = nestAttributes(new Map([['__proto__.x', 1]]))
  expect(JSON.stringify(nested)).toBe('{"__proto__":{"x":1}}')
  expect(Object.getPrototypeOf(nested)).toBe(Object.prototype)
})
