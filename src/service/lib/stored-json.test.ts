import { array, dictionary, double, letrec, oneof, string, stringMatching } from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../../testing/test-property'
import { toStoredJson } from './stored-json'

test.each([
  [1e20, '1e+20'],
  [-(2 ** 63), '-9.223372036854776e+18'],
  [{ list: [2 ** 64, 1], text: ':12345678901234567890,' }, '{"list":[1.8446744073709552e+19,1],"text":":12345678901234567890,"}'],
  [2 ** 62, '4611686018427388000'],
  [0.0000012345678901234567, '0.0000012345678901234567'],
  ['12345678901234567890', '"12345678901234567890"'],
])('%j is stored as %s', (value, text) => {
  expect(toStoredJson(value)).toBe(text)
})

const someNumber = oneof(double({ noNaN: true, noDefaultInfinity: true }), double({ min: -1e21, max: 1e21, noNaN: true }))
const someText = oneof(string(), stringMatching(/^["\\:,[{]?-?\d{18,22}[",\]]?$/))
const { someValue } = letrec<{ someValue: unknown }>((tie) => ({
  someValue: oneof({ depthSize: 'small' }, someNumber, someText, array(tie('someValue')), dictionary(someText, tie('someValue'))),
}))

testProperty(
  'every value is stored as JSON of this value, without an integer beyond 64 bits',
  someValue,
  { runs: 1000 },
  (value) => {
    const json = toStoredJson(value)
    expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)))
    const integers = json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').match(/(?<![\d.])-?\d+(?![\d.e])/g) ?? []
    expect(integers.filter((digits) => BigInt(digits) >= 2n ** 64n || BigInt(digits) < -(2n ** 63n))).toEqual([])
  },
)
