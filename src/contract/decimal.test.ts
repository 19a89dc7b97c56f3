import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../testing/test-property'
import {
  addDecimals,
  divideDecimals,
  formatPlainDecimal,
  multiplyDecimals,
  roundDecimal,
  roundToSignificantDigits,
  shiftDecimal,
  toDecimal,
  toNumber,
} from './decimal'

const finite = fc.double({ noNaN: true, noDefaultInfinity: true })

test('sums of money are exact where doubles are not', () => {
  const sum = addDecimals(toDecimal(0.1), toDecimal(0.2))
  expect(formatPlainDecimal(sum)).toBe('0.3')
  expect(0.1 + 0.2).not.toBe(0.3)
  expect(toNumber(multiplyDecimals(sum, toDecimal(1000)))).toBe(300)
})

test.each([
  [0, '0'],
  [1e-12, '0.000000000001'],
  [2.5e-6, '0.0000025'],
  [1.5e21, '1500000000000000000000'],
  [0.1, '0.1'],
  [-0.075, '-0.075'],
  [123.456, '123.456'],
  [5e-324, `0.${'0'.repeat(323)}5`],
])('%d is written as %s', (value, text) => {
  expect(formatPlainDecimal(toDecimal(value))).toBe(text)
})

test('quotients of prices are those of the decimals, not of the nearest doubles', () => {
  expect(toNumber(divideDecimals(toDecimal(1.25e-6), toDecimal(2.5e-7)))).toBe(5)
  expect(1.25e-6 / 2.5e-7).not.toBe(5)
  expect(formatPlainDecimal(roundDecimal(divideDecimals(toDecimal(1), toDecimal(-3)), 4))).toBe('-0.3333')
  expect(() => divideDecimals(toDecimal(1), toDecimal(0))).toThrow(RangeError)
})

test('shifting moves the point and keeps every digit', () => {
  expect(formatPlainDecimal(shiftDecimal(toDecimal(7.5e-8), 6))).toBe('0.075')
  expect(formatPlainDecimal(shiftDecimal(toDecimal(1.1e-6), 6))).toBe('1.1')
})

test.each([
  [1.005, 2, '1.01'],
  [2.5, 0, '3'],
  [-2.5, 0, '-3'],
  [9.999, 2, '10'],
  [1, 5, '1'],
])('%d rounded to %d places is %s', (value, places, text) => {
  expect(formatPlainDecimal(roundDecimal(toDecimal(value), places))).toBe(text)
})

test.each([
  [0.18000000000000002, 12, '0.18'],
  [-123456, 2, '-120000'],
  [0, 3, '0'],
])('%d rounded to %d significant digits is %s', (value, count, text) => {
  expect(formatPlainDecimal(roundToSignificantDigits(toDecimal(value), count))).toBe(text)
})

test('infinity and NaN are no decimals', () => {
  expect(() => toDecimal(Infinity)).toThrow(RangeError)
  expect(() => toDecimal(Number.NaN)).toThrow(RangeError)
})

testProperty('a number survives both ways of writing it', finite, { runs: 1000 }, (value) => {
  expect(Number(formatPlainDecimal(toDecimal(value)))).toBe(value + 0)
  expect(toNumber(toDecimal(value))).toBe(value + 0)
})

testProperty(
  'addition and multiplication agree with whole numbers',
  fc.tuple(fc.bigInt(-(10n ** 30n), 10n ** 30n), fc.bigInt(-(10n ** 30n), 10n ** 30n), fc.integer({ min: -5, max: 20 })),
  { runs: 500 },
  ([left, right, scale]) => {
    const sum = addDecimals({ digits: left, scale }, { digits: right * 1000n, scale: scale + 3 })
    const product = multiplyDecimals({ digits: left, scale }, { digits: right, scale: -scale })
    expect(formatPlainDecimal(sum)).toBe(formatPlainDecimal({ digits: left + right, scale }))
    expect(formatPlainDecimal(product)).toBe(String(left * right))
  },
)
