import { expect, test } from 'vitest'
import { formatPlainDecimal, parsePlainDecimal } from '../../../contract/decimal'
import { formatDifference, formatShare, formatShort, listCurrencies, readTotal, toBlendedPrice, toShare } from './spend-figures'

const cost = (currency: string, total: string) => ({
  currency,
  total,
  prompt: '0',
  completion: '0',
  cache_read: '0',
  cache_creation: '0',
})

test('currencies stand apart, USD first', () => {
  const groups = [{ costs: [cost('EUR', '3'), cost('CHF', '1')] }, { costs: [cost('USD', '2')] }]
  expect(listCurrencies(groups)).toEqual(['USD', 'CHF', 'EUR'])
  expect(groups.map((group) => readTotal(group, 'EUR')?.digits)).toEqual([3n, undefined])
})

test('the blended price is what a million tokens of any kind cost', () => {
  const price = toBlendedPrice(parsePlainDecimal('0.25'), 100_000)
  expect(price && formatPlainDecimal(price)).toBe('2.5')
  expect(toBlendedPrice(parsePlainDecimal('1'), 0)).toBeUndefined()
})

test('a share is a part of a sum; a small one is not shown as nothing', () => {
  expect(toShare(parsePlainDecimal('1'), parsePlainDecimal('8'))).toBe(0.125)
  expect(toShare(parsePlainDecimal('0'), parsePlainDecimal('0'))).toBeUndefined()
  expect([0, 0.0004, 0.125, 1].map(formatShare)).toEqual(['0.0 %', '<0.1 %', '12.5 %', '100.0 %'])
})

test('a difference has its sign', () => {
  const difference = (before: string, after: string) => formatDifference(parsePlainDecimal(before), parsePlainDecimal(after))
  expect([difference('1', '3.5'), difference('3.5', '1'), difference('1', '1')]).toEqual(['+2.50', '−2.50', '±0.00'])
})

test('large numbers are short on an axis', () => {
  expect([0, 999, 1500, 2_500_000, 3e9, 4e14].map(formatShort)).toEqual(['0', '999', '1.5K', '2.5M', '3B', '400T'])
})
