import { expect, test } from 'vitest'
import { formatPriceChange } from './price-change'

test.each([
  [1, 0.8, '−20.0 %'],
  [1, 1, 'no change'],
  [1, 1.00001, '±0.0 %'],
  [1, 11, '+1,000 %'],
  [2e-6, 5e-6, '+150 %'],
  [0, 1, undefined],
  [null, 1, undefined],
])('%s to %s changed by %s', (before, after, text) => {
  expect(formatPriceChange(before, after)).toBe(text)
})

test('a change is worked out in decimal: doubles would round 100.5 % and 0.25 % down', () => {
  expect(formatPriceChange(2e-6, 4.01e-6)).toBe('+101 %')
  expect(formatPriceChange(1e-6, 1.0025e-6)).toBe('+0.3 %')
})
