import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../testing/test-property'
import { maxSummaryLength, summarizeException } from './summarize-exception'

test('the summary of an exception is the first line of what it says', () => {
  expect(summarizeException('TypeError: no\n    at f (a.js:1:2)')).toBe('TypeError: no')
})

test.each<[string, string, string | null]>([
  [
    'a stack of Python',
    'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    f()\nValueError: no\nsecond line',
    'ValueError: no',
  ],
  [
    'a stack of Python without its end',
    'Traceback (most recent call last):\n  File "a.py"',
    'Traceback (most recent call last):',
  ],
  ['JSON of Weave', JSON.stringify({ type: 'KeyError', message: '"id"\nand more', traceback: 'long' }), 'KeyError: "id"'],
  ['JSON of Weave that is cut', '{"type": "KeyError", "message": "no id", "traceback": "File', 'KeyError: no id'],
  ['JSON with a message that is cut', `{"type": "E", "message": "${'x'.repeat(9000)}`, `E: ${'x'.repeat(maxSummaryLength - 4)}…`],
  ['JSON that is cut within a sign', String.raw`{"message": "no \u00`, 'no'],
  ['other JSON', '{"code": 7}', '{"code": 7}'],
  ['empty lines before it', '\r\n \nIt broke\r\nbadly', 'It broke'],
  ['other line ends', 'one\u2028two', 'one'],
  ['nothing', ' \n\t', null],
  ['characters of two code units', '🙂'.repeat(300), `${'🙂'.repeat(maxSummaryLength - 1)}…`],
])('%s', (_, text, summary) => {
  expect(summarizeException(text)).toBe(summary)
})

testProperty('any text gives one short line or null', fc.string({ unit: 'binary' }), { runs: 300 }, (text) => {
  const summary = summarizeException(text)
  if (summary === null) return
  expect(Array.from(summary).length).toBeLessThanOrEqual(maxSummaryLength)
  expect(summary).toMatch(/^[^\r\n\u2028\u2029]+$/)
})

test('30 MB are read as quickly as a line', () => {
  const texts = ['x'.repeat(30_000_000), `{"message": "${String.raw`\n`.repeat(15_000_000)}"}`, '\n'.repeat(30_000_000)]
  for (const text of texts) expect(summarizeException(text)?.length ?? 0).toBeLessThanOrEqual(maxSummaryLength)
  const stack = `Traceback (most recent call last):\n${'  File "a.py", line 1, in f\n    f()\n'.repeat(700_000)}ValueError: deep`
  expect(summarizeException(stack)).toBe('ValueError: deep')
})
