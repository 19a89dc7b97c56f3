import { expect, test } from 'vitest'
import type { ReceivedCost } from '../../../contract/received-costs'
import { findPriceFlags, type PriceFlag } from './find-price-flags'

let count = 0
function cost(change: Partial<ReceivedCost> = {}): ReceivedCost {
  return {
    id: `own-${(count += 1)}`,
    llm_id: 'gpt-4o',
    provider_id: 'openai',
    prompt_token_cost: 0.0000025,
    completion_token_cost: 0.00001,
    prompt_token_cost_unit: 'USD',
    completion_token_cost_unit: 'USD',
    effective_date: '2026-01-01T00:00:00Z',
    cache_read_input_token_cost: null,
    cache_creation_input_token_cost: null,
    ...change,
  }
}
const catalog = cost({ id: 'catalog:gpt-4o', provider_id: 'azure' })

function flagsOf(inForce: ReceivedCost[], records = inForce): Partial<Record<PriceFlag, number>> {
  return Object.fromEntries(
    [...findPriceFlags(inForce, records)].flatMap(([flag, { length }]) => (length > 0 ? [[flag, length]] : [])),
  )
}

test('a price of the project that is 1,000 times the model’s price elsewhere is flagged', () => {
  expect(flagsOf([catalog, cost({ prompt_token_cost: 0.0025, completion_token_cost: 0.01 })])).toEqual({ unit: 1 })
  expect(flagsOf([catalog, cost({ prompt_token_cost: 0.000005 })])).toEqual({})
  expect(flagsOf([cost({ prompt_token_cost: 0.0025, completion_token_cost: 0.01 }), cost({ provider_id: 'azure' })])).toEqual({
    unit: 2,
  })
  // A catalog's price of the same provider is not in force any more, and still a measure.
  const own = cost({ provider_id: 'azure', prompt_token_cost: 0.0025, completion_token_cost: 0.01 })
  expect(flagsOf([own], [catalog, own])).toEqual({ unit: 1 })
})

test.each<[string, Partial<ReceivedCost>, Partial<Record<PriceFlag, number>>]>([
  ['a completion below the prompt', { completion_token_cost: 0.000001 }, { inverted: 1 }],
  ['a free completion', { completion_token_cost: 0 }, {}],
  ['more than 0.01 a token', { llm_id: 'other', completion_token_cost: 0.02 }, { high: 1 }],
  [
    'as much in a currency of small units',
    { llm_id: 'other', completion_token_cost: 0.02, completion_token_cost_unit: 'KRW', prompt_token_cost_unit: 'KRW' },
    { currency: 1 },
  ],
  ['another currency', { prompt_token_cost_unit: 'EUR', completion_token_cost_unit: 'EUR' }, { currency: 1 }],
])('%s', (_, change, flags) => {
  expect(flagsOf([catalog, cost({ id: 'catalog:x', llm_id: 'x' }), cost(change)])).toEqual(flags)
})

test('two records of one date with the same prices are duplicates; other prices of that date are a correction', () => {
  const [older, newer] = [cost(), cost()]
  expect(flagsOf([newer], [older, newer])).toEqual({ duplicate: 1 })
  expect(flagsOf([newer], [cost({ prompt_token_cost: 0.000003 }), newer])).toEqual({})
  expect(flagsOf([newer], [cost({ effective_date: null }), newer])).toEqual({})
})

test('the catalog is never flagged', () => {
  expect(flagsOf([catalog, cost({ id: 'catalog:b', prompt_token_cost: 0.0025, completion_token_cost: 0.0001 })])).toEqual({})
})
