import { expect, test } from 'vitest'
import { formatExactDuration, formatDuration, formatFullDuration } from './duration'

test.each([
  [0, '0 ms'],
  [1e-12, '<0.001 ms'],
  [0.001, '0.001 ms'],
  [0.5, '0.500 ms'],
  [12.345, '12.3 ms'],
  [123.456, '123 ms'],
  [999.4, '999 ms'],
  [999.6, '1.00 s'],
  [1234.567, '1.23 s'],
  [59_994, '59.99 s'],
  [59_996, '1 min 00 s'],
  [65_000, '1 min 05 s'],
  [3_599_600, '1 h 00 min'],
  [7_500_000, '2 h 05 min'],
  [1e12, '277,777 h 47 min'],
])('%d ms is formatted as %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text)
})

test.each([
  [1234.567, '1,234.567 ms'],
  [250, '250 ms'],
  [0.1 + 0.2, '0.3 ms'],
])('%d ms exactly is %s', (milliseconds, text) => {
  expect(formatExactDuration(milliseconds)).toBe(text)
})

test('the exact value stands beside a duration that is rounded to hundredths of a second, and no unit without its number', () => {
  expect([12_800, 65_000, 999.5, -1500].map(formatFullDuration)).toEqual([
    '12.80\u00A0s (12,800\u00A0ms)',
    '1\u00A0min\u00A005\u00A0s (65,000\u00A0ms)',
    '999.5\u00A0ms',
    '-1,500\u00A0ms',
  ])
})
