import { expect, test } from 'vitest'
import { formatPlainDecimal, parsePlainDecimal } from '../../../contract/decimal'
import { formatDifference, formatShare, formatShort, listCurrencies, readBlendedPrice, readTotal, toShare } from './spend-figures'

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
  const group = {
    call_count: 1,
    unpriced_call_count: 0,
    prompt_tokens: 90_000,
    completion_tokens: 10_000,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
    costs: [cost('USD', '0.25')],
  }
  const read = (change: Partial<typeof group> & { priced_prompt_tokens?: number; priced_completion_tokens?: number }) => {
    const price = readBlendedPrice({ ...group, ...change })
    return price && formatPlainDecimal(price.amount)
  }
  expect(read({})).toBe('2.5')
  expect(read({ prompt_tokens: 0, completion_tokens: 0 })).toBeUndefined()
  // Tokens without a price do not make the others cheaper.
  expect(read({ unpriced_call_count: 1, priced_prompt_tokens: 40_000, priced_completion_tokens: 10_000 })).toBe('5')
  expect(read({ unpriced_call_count: 1 })).toBeUndefined()
})

test('a share is a part of a sum; a small one is not shown as nothing', () => {
  expect(toShare(parsePlainDecimal('1'), parsePlainDecimal('8'))).toBe(0.125)
  expect(toShare(parsePlainDecimal('0'), parsePlainDecimal('0'))).toBeUndefined()
  expect([0, 0.0004, 0.125, 0.9994, 1].map(formatShare)).toEqual(['0.0 %', '<0.1 %', '12.5 %', '99.9 %', '100.0 %'])
  // Nor is nearly everything shown as everything.
  expect([0.9995, 0.9999999, 164.703].map(formatShare)).toEqual(['>99.9 %', '>99.9 %', '16,470.3 %'])
})

test('a difference has its sign', () => {
  const difference = (before: string, after: string) => formatDifference(parsePlainDecimal(before), parsePlainDecimal(after))
  expect([difference('1', '3.5'), difference('3.5', '1'), difference('1', '1')]).toEqual(['+2.50', '−2.50', '±0.00'])
})

test('large numbers are short on an axis', () => {
  expect([0, 999, 1500, 2_500_000, 3e9, 4e14].map(formatShort)).toEqual(['0', '999', '1.5K', '2.5M', '3B', '400T'])
})
