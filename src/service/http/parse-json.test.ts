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
