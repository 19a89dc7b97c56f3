import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { toDecimal, formatCount, formatPlainDecimal, roundDecimal, shiftDecimal } from './decimal'

test.each([
  [0, '0'],
  [1e-12, '0.000000000001'],
  [2.5e-6, '0.0000025'],
  [1.5e21, '1500000000000000000000'],
  [0.1, '0.1'],
  [-0.075, '-0.075'],
  [123.456, '123.456'],
  [5e-324, `0.${'0'.repeat(323)}5`],
])('%d is written out as %s', (value, text) => {
  expect(formatPlainDecimal(toDecimal(value))).toBe(text)
})

test('writing out and reading back gives the same number', () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      (value) => Number(formatPlainDecimal(toDecimal(value))) === value + 0,
    ),
  )
})

test('a shift moves the point and changes no digit', () => {
  expect(formatPlainDecimal(shiftDecimal(toDecimal(7.5e-8), 6))).toBe('0.075')
  expect(formatPlainDecimal(shiftDecimal(toDecimal(1.1e-6), 6))).toBe('1.1')
})

test.each([
  [1.005, 2, '1.01'],
  [2.5, 0, '3'],
  [-2.5, 0, '-3'],
  [9.999, 2, '10'],
  [1, 5, '1'],
])('%d to %d places is %s', (value, places, text) => {
  expect(formatPlainDecimal(roundDecimal(toDecimal(value), places))).toBe(text)
})

test('thousands are set apart', () => {
  expect(['1', '999', '1000', '1234567'].map(formatCount)).toEqual(['1', '999', '1,000', '1,234,567'])
})
