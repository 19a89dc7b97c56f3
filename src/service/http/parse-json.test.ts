import { expect, test } from 'vitest'
import { parseJson } from './parse-json'

const parse = (text: string) => parseJson(new TextEncoder().encode(text))

test('parses JSON, and rejects with 422 what is none', () => {
  expect(parse('{"name":"é","count":2}')).toEqual({ name: 'é', count: 2 })
  for (const text of ['', '{', '{} {}', '['.repeat(501) + ']'.repeat(501)]) {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ kind: 'invalid', problems: [expect.objectContaining({ type: 'json_invalid' })] }),
    )
  }
})

test.each([
  [String.raw`"a\ud800b"`, 'a\ufffdb'],
  [String.raw`"a\uDFFF"`, 'a\ufffd'],
  [String.raw`"\udc00\ud800"`, '\ufffd\ufffd'],
  [String.raw`"\ud800\ud83e\uddf5"`, '\ufffd🧵'],
  [String.raw`"\ud83e\uddf5 \uD83E\uDDF5 🧵"`, '🧵 🧵 🧵'],
  [String.raw`"\\ud800 \\\ud800 \"\ud800\""`, '\\ud800 \\\ufffd "\ufffd"'],
  [String.raw`{"\ud800":["\udfff",{"x":"\n\u0000"}]}`, { '\ufffd': ['\ufffd', { x: '\n\0' }] }],
])('%s: a lone surrogate becomes U+FFFD', (text, value) => {
  expect(parse(text)).toEqual(value)
})

test('a body of too many values is rejected before it is parsed; texts and numbers do not count', () => {
  const parseQuery = (text: string) => parseJson(new TextEncoder().encode(text), { maxValues: 3 })
  expect(parseQuery('{"a":["{[:\\"{{{{"]}')).toEqual({ a: ['{[:"{{{{'] })
  expect(parseQuery(`[${'1,'.repeat(1000)}1]`)).toHaveLength(1001)
  for (const text of ['[{},{},{}]', '{"a":1,"b":2,"c":3}', '[[[[]]]]']) {
    expect(() => parseQuery(text)).toThrow(
      expect.objectContaining({
        problems: [
          {
            loc: ['body'],
            msg: 'The body holds too many values: at most 3 objects, lists and fields. Send fewer of them.',
            type: 'json_invalid',
          },
        ],
      }),
    )
  }
})
