import { expect, test } from 'vitest'
import { cutMiddle, describeInvisible, formatVisibleLines, formatVisibleText, splitEnd } from './visible-text'

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

test('a text with characters that nobody sees is described', () => {
  expect(describeInvisible('invoice')).toBeUndefined()
  expect(describeInvisible('invoice \u202Egnp.exe')).toBe(
    String.raw`It has invisible characters and is shown as invoice \u202Egnp.exe`,
  )
})

test('lines stay lines', () => {
  expect(formatVisibleLines('one\r\ntwo\u202E\n\nthree')).toBe('one\ntwo\\u202E\n\nthree')
})

test('the end of an id tells it from others that begin alike', () => {
  expect(splitEnd('0197c1d2-8a53-7f6e-9b1a-6f2e40c10002')).toEqual({ head: '0197c1d2-8a53-7f6e-9b1a-6f2e', tail: '40c10002' })
  expect(splitEnd('on threads 😀😀😀😀😀😀😀😀')?.tail).toBe('😀😀😀😀😀😀😀😀')
  expect(splitEnd('ticket-48200')).toBeUndefined()
})

test('a long name is cut in the middle, characters whole', () => {
  expect(cutMiddle('anthropic/claude-sonnet-4-5', 16)).toBe('anthrop…nnet-4-5')
  expect(cutMiddle('gpt-4o-mini', 11)).toBe('gpt-4o-mini')
  expect(Array.from(cutMiddle('😀'.repeat(100), 12))).toHaveLength(12)
})
