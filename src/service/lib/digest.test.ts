import { expect, test } from 'vitest'
import { canonicalJson, toDigest } from './digest'

// The expected texts and digests were printed by Python's json.dumps(value, sort_keys=True) and hashlib.

const odd = {
  b: 1e-7,
  a: [0.000_12, 1e-5, 1.5e-10, 1e21, 123_456_789_012, -0.5],
  é: '\u007f😀\n\t"\\/',
  '\uffff': 1,
  '😀': null,
  z: true,
}

test('a value is printed as Python prints it: keys by code point, ASCII only, Python’s exponents', () => {
  expect(canonicalJson(odd)).toBe(
    String.raw`{"a": [0.00012, 1e-05, 1.5e-10, 1e+21, 123456789012, -0.5], "b": 1e-07, "z": true, ` +
      String.raw`"\u00e9": "\u007f\ud83d\ude00\n\t\"\\/", "\uffff": 1, "\ud83d\ude00": null}`,
  )
  expect(toDigest(canonicalJson(odd))).toBe('RAGt5xUu7Z4yJLiXhEFXRjFFXm0LY48UXqgE7t40Hxs')
})

test.each([
  ['an empty object', {}, '{}'],
  ['an empty list', [], '[]'],
  ['null', null, 'null'],
  ['undefined', undefined, 'null'],
  ['a key with undefined, which JSON leaves out', { a: undefined, b: 1 }, '{"b": 1}'],
  ['zero', 0, '0'],
  ['a key that JavaScript would move to the front', JSON.parse('{"b":1,"10":2,"9":3}'), '{"10": 2, "9": 3, "b": 1}'],
  ['the key __proto__', JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__": {"a": 1}}'],
])('%s', (_, value: unknown, text) => {
  expect(canonicalJson(value)).toBe(text)
})

test('the order of keys does not matter, the order of a list does', () => {
  expect(canonicalJson({ a: { c: 1, b: 2 }, d: 3 })).toBe(canonicalJson({ d: 3, a: { b: 2, c: 1 } }))
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]))
})

test('a digest has letters and digits only, whatever the bytes', () => {
  for (let byte = 0; byte < 256; byte += 1) expect(toDigest(Uint8Array.of(byte))).toMatch(/^[A-Za-z0-9]{43}$/)
})
