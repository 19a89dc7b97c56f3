import { expect, test } from 'vitest'
import { countTokens, formatExactCost, getCommonCurrency } from './UsageCell'

const model = {
  requests: 1,
  prompt_tokens: 1000,
  completion_tokens: 200,
  total_tokens: 1200,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  total_cost: {},
  unpriced_call_count: 0,
}

test('the tokens of a thread are those of all its models, and unknown without any', () => {
  expect(countTokens({ thread_id: 'a', models: { one: model, two: model }, total_cost: {} })).toBe(2400)
  expect(countTokens({ thread_id: 'a', models: {}, total_cost: {} })).toBeNull()
  expect(countTokens(undefined)).toBeNull()
})

test('a currency stands in the header only if all sums have it', () => {
  const toUsage = (currency: string) => ({ thread_id: 'a', models: {}, total_cost: { [currency]: 1 } })
  expect(getCommonCurrency([toUsage('USD'), toUsage('USD')])).toBe('USD')
  expect(getCommonCurrency([toUsage('USD'), toUsage('EUR')])).toBeUndefined()
})

test('sums in different currencies are never added', () => {
  expect(formatExactCost({ thread_id: 'a', models: {}, total_cost: { USD: 1.25, EUR: 3 } })).toBe('1.25 USD, 3 EUR')
  expect(formatExactCost({ thread_id: 'a', models: {}, total_cost: {} })).toBeNull()
})
