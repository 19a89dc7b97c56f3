import { expect, test } from 'vitest'
import { AttributeReader } from './attribute-reader'
import type { Json } from './attributes'
import { withoutKeys } from './without-keys'

const reader = (attributes: Record<string, Json>) => new AttributeReader(new Map(Object.entries(attributes)))

test('a value within a map or within JSON text is found by its dotted key', () => {
  const span = reader({ 'llm.model': 'm', usage: { input: 3 }, 'chat.usage': '{"input":4,"cache":{"read":1}}' })
  expect(span.get('llm.model')).toBe('m')
  expect(span.get('usage.input')).toBe(3)
  expect(span.within('chat.usage', 'cache.read')).toBe(1)
  expect(span.map('chat.usage')).toEqual({ input: 4, cache: { read: 1 } })
})

test.each<{ attributes: Record<string, Json>; key: string; value: unknown }>([
  { attributes: { a: { b: { c: 1 } } }, key: 'a.b.c', value: 1 },
  { attributes: { a: { 'b.c': 1 } }, key: 'a.b.c', value: 1 },
  { attributes: { 'a.b': { c: 1 } }, key: 'a.b.c', value: 1 },
  { attributes: { a: { b: {} }, 'a.b': { c: 1 } }, key: 'a.b.c', value: 1 },
  { attributes: { a: { b: 1 }, 'a.b': 2 }, key: 'a.b', value: 2 },
  { attributes: { a: [{ b: 1 }] }, key: 'a.0.b', value: undefined },
  { attributes: { a: 'text' }, key: 'a.length', value: undefined },
  { attributes: { a: { b: 1 } }, key: 'a.constructor', value: undefined },
  { attributes: { a: {} }, key: 'a.toString.length', value: undefined },
])('$key of $attributes is $value', ({ attributes, key, value }) => {
  expect(reader(attributes).get(key)).toBe(value)
})

test('the entries of a map are found however it was sent', () => {
  const expected = { temperature: 1, 'choice.count': 2 }
  expect(reader({ request: expected }).map('request')).toEqual(expected)
  expect(reader({ request: JSON.stringify(expected) }).map('request')).toEqual(expected)
  expect(reader({ 'request.temperature': 1, 'request.choice.count': 2, requests: 3 }).map('request')).toEqual(expected)
  expect(reader({ request: 'no map' }).map('request')).toBeUndefined()
})

test('keys are removed from within maps too, and nothing else changes', () => {
  const attributes = { a: { b: 1, c: { d: 2, e: 3 }, 'f.g': 4 }, 'a.h': 5, i: [6] }
  const left = withoutKeys(new Map<string, Json>(Object.entries(attributes)), ['a.c.d', 'a.f.g', 'a.h', 'none.at.all'])
  expect(Object.fromEntries(left)).toEqual({ a: { b: 1, c: { e: 3 } }, i: [6] })
})
