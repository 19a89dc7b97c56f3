import { expect, test } from 'vitest'
import { formatPlainDecimal } from '../../contract/decimal'
import { calculateAmounts, calculateCallCost } from './cost-of-usage'
import type { PriceRecord } from './price-record'
import { ratesOfRecord } from './token-rates'
import type { DetailedUsage } from '../usage/usage'

const record = (more: Partial<PriceRecord>): PriceRecord => ({
  id: 'id',
  project_id: '',
  llm_id: 'm',
  provider_id: 'openai',
  prompt_token_cost: 0.0000025,
  completion_token_cost: 0.00001,
  cache_read_input_token_cost: null,
  cache_creation_input_token_cost: null,
  prompt_token_cost_unit: 'USD',
  completion_token_cost_unit: 'USD',
  effective_date: '2025-01-01T00:00:00Z',
  created_at: '2025-01-01T00:00:00Z',
  created_by: '',
  ...more,
})
const price = (more: Partial<PriceRecord>) => ({ record: record(more), rates: ratesOfRecord(record(more)) })
const details = { inputAudioTokens: 0, cacheReadAudioTokens: 0, cacheWrite1hTokens: 0, outputAudioTokens: 0, reasoningTokens: 0 }
const usage = (more: Partial<DetailedUsage>): DetailedUsage => ({
  requests: 1,
  prompt_tokens: 0,
  completion_tokens: 0,
  total_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  details,
  ...more,
})

test('tokens times their price is the cost of a call', () => {
  expect(calculateCallCost(usage({ prompt_tokens: 1000, completion_tokens: 200 }), price({}))).toMatchObject({
    prompt_tokens_total_cost: 0.0025,
    completion_tokens_total_cost: 0.002,
    cache_read_input_tokens_total_cost: null,
    pricing_level: 'default',
    created_by: 'system',
  })
})

test('the cost by a project’s price without cache prices says that cached tokens are charged at its prompt price', () => {
  const tokens = usage({ prompt_tokens: 1000, cache_read_input_tokens: 400, cache_creation_input_tokens: 100 })
  expect(calculateCallCost(tokens, price({ project_id: 'a/b' }))).toMatchObject({
    prompt_token_cost: 0.0000025,
    cache_read_input_token_cost: 0.0000025,
    cache_creation_input_token_cost: 0.0000025,
    prompt_tokens_total_cost: 0.00125,
    cache_read_input_tokens_total_cost: 0.001,
    cache_creation_input_tokens_total_cost: 0.00025,
  })
})

test('the cost by a project’s own price names the project', () => {
  expect(calculateCallCost(usage({}), price({ project_id: 'a/b', created_by: 'ann' }))).toMatchObject({
    pricing_level: 'project',
    pricing_level_id: 'a/b',
    created_by: 'ann',
  })
})

test.each<[string, Partial<DetailedUsage>, Partial<PriceRecord>, (string | null)[]]>([
  [
    'prompt and completion are exact',
    { prompt_tokens: 3, completion_tokens: 7 },
    { prompt_token_cost: 0.1, completion_token_cost: 1.35e-7 },
    ['0.3', '0.000000945', null, null],
  ],
  [
    'cached tokens are billed at the cache price',
    { prompt_tokens: 10, cache_read_input_tokens: 4, cache_creation_input_tokens: 1 },
    { prompt_token_cost: 1, cache_read_input_token_cost: 0.1, cache_creation_input_token_cost: 2 },
    ['5', '0', '0.4', '2'],
  ],
  [
    'cached tokens without a cache price in the catalog are billed as prompt',
    { prompt_tokens: 10, cache_read_input_tokens: 4 },
    { prompt_token_cost: 1 },
    ['10', '0', null, null],
  ],
  [
    'a project’s price of 0 for cached tokens is free, one that it does not have is its prompt price',
    { prompt_tokens: 10, cache_read_input_tokens: 4, cache_creation_input_tokens: 3 },
    { project_id: 'a/b', prompt_token_cost: 1, cache_read_input_token_cost: 0 },
    ['3', '0', '0', '3'],
  ],
  [
    'only cached tokens that have a price leave the prompt',
    { prompt_tokens: 10, cache_read_input_tokens: 4, cache_creation_input_tokens: 3 },
    { prompt_token_cost: 1, cache_read_input_token_cost: 0 },
    ['6', '0', '0', null],
  ],
  [
    'an unknown price is null, a price of 0 is free',
    { prompt_tokens: 3, completion_tokens: 4 },
    { prompt_token_cost: null, completion_token_cost: 0 },
    [null, '0', null, null],
  ],
])('%s', (_, tokens, costs, expected) => {
  const { prompt, completion, cacheRead, cacheCreation } = calculateAmounts(usage(tokens), price(costs))
  const texts = [prompt, completion, cacheRead, cacheCreation].map((amount) => amount && formatPlainDecimal(amount))
  expect(texts).toEqual(expected)
})
