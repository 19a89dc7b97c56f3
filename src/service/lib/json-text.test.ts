import { expect, test } from 'vitest'
import { JsonText, stringifyWithJsonText } from './json-text'

test('stored JSON goes into a response as it is', () => {
  const response = { calls: [{ id: 'a', inputs: new JsonText('{"n":1.0}') }] }
  expect(stringifyWithJsonText(response)).toBe('{"calls":[{"id":"a","inputs":{"n":1.0}}]}')
})

test.each([
  [null],
  ['text "quoted"'],
  [{ a: undefined, b: null, 'c"': [1, undefined, { d: [{ e: { f: [] } }] }] }],
  [[[], {}, [undefined], { summary: { usage: { model: { tokens: 1 } } } }]],
])('without stored JSON the text is that of JSON.stringify: %j', (value) => {
  expect(stringifyWithJsonText(value)).toBe(JSON.stringify(value))
})

test('stored JSON is found as deep as responses have it: the value itself, a field of it, a field of an item', () => {
  const text = new JsonText('[1]')
  expect(stringifyWithJsonText(text)).toBe('[1]')
  expect(stringifyWithJsonText({ vals: [text, null] })).toBe('{"vals":[[1],null]}')
  expect(stringifyWithJsonText({ summary: { weave: { feedback: [{ payload: text }] } } })).toBe(
    '{"summary":{"weave":{"feedback":[{"payload":[1]}]}}}',
  )
  expect(stringifyWithJsonText({ rows: [{ val: text }] })).toBe('{"rows":[{"val":[1]}]}')
})
