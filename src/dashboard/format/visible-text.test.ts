import { expect, test } from 'vitest'
import { formatVisibleText } from './visible-text'

test('characters that nobody sees are written out', () => {
  expect(formatVisibleText('override-\u202Etxt.exe')).toBe(String.raw`override-\u202Etxt.exe`)
})

test.each([
  ['a\u0000\u0007\n', String.raw`a\u0000\u0007\u000A`],
  ['zero\u200B\u200D\uFEFFwidth', String.raw`zero\u200B\u200D\uFEFFwidth`],
  ['\u2066\u05D0\u2069', '\\u2066\u05D0\\u2069'],
  ['tag\u{E0041}', String.raw`tag\u{E0041}`],
  ['lone\uD800', String.raw`lone\uD800`],
  ['späti 日本 😀 <b>', 'späti 日本 😀 <b>'],
])('%j is shown as %s', (text, shown) => {
  expect(formatVisibleText(text)).toBe(shown)
})
