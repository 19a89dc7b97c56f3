import { expect, test } from 'vitest'
import { amount, counted, duration, size } from './amount'

test.each([
  [0, '0'],
  [999, '999'],
  [1_234_567, '1,234,567'],
])('%d', (count, text) => {
  expect(amount(count)).toBe(text)
})

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [266_054_321, '266.1 MB'],
  [3e12, '3.0 TB'],
  [5e15, '5000.0 TB'],
])('%d bytes', (bytes, text) => {
  expect(size(bytes)).toBe(text)
})

test.each([
  [0, '0 s'],
  [0.2, '1 s'],
  [59.5, '1 min 0 s'],
  [200, '3 min 20 s'],
  [7500, '2 h 5 min'],
])('%d seconds', (seconds, text) => {
  expect(duration(seconds)).toBe(text)
})

test.each([
  [0, 'calls', '0 calls'],
  [1, 'calls', '1 call'],
  [2000, 'prices', '2,000 prices'],
])('%d %s', (count, plural, text) => {
  expect(counted(count, plural)).toBe(text)
})
