import { expect, test } from 'vitest'
import { priceRatio, formatPrice, formatRatio } from './money'

test.each([
  [2.5e-6, '1M', '2.50', '2.5'],
  [7.5e-8, '1M', '0.075', '0.075'],
  [5e-9, '1M', '0.005', '0.005'],
  [1e-5, '1M', '10.00', '10'],
  [1.25e-6, '1K', '0.00125', '0.00125'],
  [1.25e-6, 'token', '0.00000125', '0.00000125'],
  [1e-12, '1M', '0.000001', '0.000001'],
  [1e-12, 'token', '0.000000000001', '0.000000000001'],
  [0.0012, '1M', '1,200.00', '1200'],
  [1.23456789e-6, '1M', '1.23457', '1.23456789'],
  [1.23456789e-9, '1M', '0.00123457', '0.00123456789'],
  [1.5, '1M', '1,500,000.00', '1500000'],
  [1e21, 'token', '1,000,000,000,000,000,000,000.00', '1000000000000000000000'],
  [9.999999e-6, '1M', '10.00', '9.999999'],
  [1e-20, 'token', '1e-20', '0.00000000000000000001'],
  [1.23456789e-20, '1M', '1.23457e-14', '0.0000000000000123456789'],
  [9.9999999e-20, 'token', '1e-19', '0.000000000000000000099999999'],
] as const)('%d a token per %s is %s, exactly %s', (price, unit, text, exact) => {
  expect(formatPrice(price, unit)).toMatchObject({ kind: 'amount', text, exact })
})

test('unset, free and tiny are three different things', () => {
  expect(formatPrice(null, '1M').text).toBe('not set')
  expect(formatPrice(undefined, '1M').text).toBe('not set')
  expect(formatPrice(0, '1M').text).toBe('free')
  expect(formatPrice(1e-15, '1M').text).toBe('0.000000001')
})

test('a price says where its point stands, and whether digits are missing', () => {
  expect(formatPrice(0.0012, '1M')).toMatchObject({ text: '1,200.00', pointIndex: 5, isRounded: false })
  expect(formatPrice(1.23456789e-6, '1M')).toMatchObject({ text: '1.23457', pointIndex: 1, isRounded: true })
  expect(formatPrice(1e-20, '1M')).toMatchObject({ text: '1e-14', pointIndex: 1, isRounded: true })
})

test('a ratio is that of the decimals, not of the nearest doubles', () => {
  expect(priceRatio(2.5e-7, 1.25e-6)).toBe(5)
  expect(1.25e-6 / 2.5e-7).not.toBe(5)
  expect(formatRatio(priceRatio(1e-6, 1.005e-6) ?? 0)).toBe('1.01×')
})

test.each([
  [2e-6, 8e-6, 4, '4.00×'],
  [3e-6, 1e-6, 1 / 3, '0.33×'],
  [1e-6, 1e-8, 0.01, '0.01×'],
  [1e-6, 0, 0, '0.00×'],
  [1e-9, 2.5e-6, 2500, '2,500×'],
])('%d to %d is a ratio of %d, shown %s', (prompt, completion, ratio, text) => {
  expect(priceRatio(prompt, completion)).toBeCloseTo(ratio, 10)
  expect(formatRatio(ratio)).toBe(text)
})

test.each([
  [0, 1],
  [null, 1],
  [1, null],
  [undefined, 1],
])('%s to %s has no ratio', (prompt, completion) => {
  expect(priceRatio(prompt, completion)).toBeUndefined()
})
