import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../../testing/test-property'
import { measureJson, splitJsonObject } from './scan-json'

test('an object is split into the texts of its entries, and measured, without parsing it', () => {
  const text = '{"a": [1, {"b": ","}], "c": "}"}'
  expect(splitJsonObject(text)).toEqual(
    new Map([
      ['a', '[1, {"b": ","}]'],
      ['c', '"}"'],
    ]),
  )
  expect(measureJson(text, 100, 100)).toMatchObject({ values: 6 })
  expect(measureJson(text, 2, 100)).toMatchObject({ depth: 3 })
  expect(splitJsonObject('[1]')).toBeUndefined()
})

const object = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true })

testProperty('the texts of the entries are those that JSON.stringify gives', object, { runs: 200 }, (value) => {
  const text = JSON.stringify(value)
  const expected = Object.entries(JSON.parse(text) as object).map(([key, item]) => [key, JSON.stringify(item)])
  expect([...(splitJsonObject(text) ?? [])]).toEqual(expected)
})
