import { expect, test } from 'vitest'
import { parsePlainDecimal } from '../../contract/decimal'
import { formatAmount, formatCost, formatCurrency } from './amount'

test('an amount is shown without binary rounding', () => {
  const amount = parsePlainDecimal('1234.5650000000000000001')
  expect(formatAmount(amount)).toEqual({ text: '1,234.57', exact: '1234.5650000000000000001', pointIndex: 5 })
})

test.each([
  ['0', '0.00'],
  ['0.00000123456', '0.00000123'],
  ['0.999999', '1.00'],
  ['0.5', '0.50'],
  ['12', '12.00'],
  ['-3.456', '−3.46'],
  ['999999999.99', '999,999,999.99'],
  ['1234567890', '1.23457B'],
  ['9000000000', '9.00B'],
  ['-3317284042800853.48', '−3,317.28T'],
  ['123456789123456789', '123,457.00T'],
])('%s is shown as %s', (amount, text) => expect(formatAmount(parsePlainDecimal(amount)).text).toBe(text))

test.each([
  ['0', 'free'],
  ['0.0012345', '0.00123'],
  ['0.0000000000000000012345', '0.00000000000000000123'],
  ['1234567.8', '1,234,567.80'],
])('a cost of %s is shown as %s in a list', (total, text) => expect(formatCost(total)).toBe(text))

test('a currency is short, and what is invisible in it is written out', () => {
  expect(formatCurrency('USD')).toBe('USD')
  expect(formatCurrency('\u202EDSU')).toBe(String.raw`\u202EDSU`)
  expect(formatCurrency('a currency of many words')).toBe('a currency …')
})
