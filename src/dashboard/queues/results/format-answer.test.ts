import { expect, test } from 'vitest'
import { formatAnswer } from './format-answer'

test.each([
  [true, 'yes'],
  [4.5, '4.5'],
  ['kind', 'kind'],
  [['a', 'b'], '["a","b"]'],
  ['This is slow.\nSecond line', 'This is slow.\nSecond line'],
  ['two\r\nlines', 'two\nlines'],
  ['a\u202Etxt', String.raw`a\u202Etxt`],
])('the answer %j is shown as %j', (value, shown) => {
  expect(formatAnswer(value)).toBe(shown)
})

test('a long answer is cut, and says so', () => {
  expect(formatAnswer('x'.repeat(3000))).toMatch(/^x{2000}… \(cut: 3,000 characters in all\)$/)
})
