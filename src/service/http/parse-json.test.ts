import { expect, test } from 'vitest'
import { parseJson } from './parse-json'

const parse = (text: string) => parseJson(new TextEncoder().encode(text))

test.each([
  [String.raw`"a\ud800b"`, 'a\ufffdb'],
  [String.raw`"a\uDFFF"`, 'a\ufffd'],
  [String.raw`"\udc00\ud800"`, '\ufffd\ufffd'],
  [String.raw`"\ud800\ud83e\uddf5"`, '\ufffd🧵'],
  [String.raw`"\ud83e\uddf5 \uD83E\uDDF5 🧵"`, '🧵 🧵 🧵'],
  [String.raw`"\\ud800 \\\ud800 \"\ud800\""`, '\\ud800 \\\ufffd "\ufffd"'],
  [String.raw`{"\ud800":["\udfff",{"x":"\n\u0000"}]}`, { '\ufffd': ['\ufffd', { x: '\n\0' }] }],
])('%s has no lone surrogate', (text, value) => {
  expect(parse(text)).toEqual(value)
})
