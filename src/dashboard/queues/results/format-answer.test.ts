import { expect, test } from 'vitest'
import { formatAnswer, formatShare } from './format-answer'

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

test.each([
  [5, 8, '62.5 %'],
  [3, 8, '37.5 %'],
  [1, 3, '33.3 %'],
  [0, 8, '0 %'],
  [8, 8, '100 %'],
  [1, 5000, '<0.1 %'],
  [4999, 5000, '>99.9 %'],
])('%d of %d are %s', (count, total, share) => {
  expect(formatShare(count, total)).toBe(share)
})
