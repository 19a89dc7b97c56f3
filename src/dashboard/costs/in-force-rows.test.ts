import { expect, test } from 'vitest'
import type { ReceivedCost } from '../../contract/received-costs'
import { countByProvider } from './count-by-provider'
import { inForceRows } from './in-force-rows'

const asOf = '2026-06-01T00:00:00Z'
function cost(llm: string, provider: string | null, price: number | null, over: Partial<ReceivedCost> = {}): ReceivedCost {
  return {
    id: `catalog:${provider}/${llm}`,
    llm_id: llm,
    provider_id: provider,
    prompt_token_cost: price,
    completion_token_cost: price === null ? null : price * 4,
    prompt_token_cost_unit: 'USD',
    completion_token_cost_unit: 'USD',
    effective_date: '2026-01-01T00:00:00Z',
    cache_read_input_token_cost: null,
    cache_creation_input_token_cost: null,
    ...over,
  }
}
const records = [cost('gpt-4o', 'openai', 3), cost('gpt-4o', 'azure', 2), cost('o1', 'openai', null), cost('mini', 'mistral', 0)]
const none = { search: '', provider: [], source: 'any', sort: [] } as const
const names = (filters: Partial<Parameters<typeof inForceRows>[2]>, from = records) =>
  inForceRows(from, asOf, { ...none, ...filters }).map((row) => `${row.provider_id}/${row.llm_id}`)

test('without a sort the order is by model, then provider', () => {
  expect(names({})).toEqual(['azure/gpt-4o', 'openai/gpt-4o', 'mistral/mini', 'openai/o1'])
})

test('unset prices are last in both directions, free ones are not', () => {
  expect(names({ sort: [{ id: 'prompt_token_cost', direction: 'asc' }] }).at(-1)).toBe('openai/o1')
  expect(names({ sort: [{ id: 'prompt_token_cost', direction: 'desc' }] })).toEqual([
    'openai/gpt-4o',
    'azure/gpt-4o',
    'mistral/mini',
    'openai/o1',
  ])
})

test('currencies are never mixed by a sort over prices', () => {
  const mixed = [...records, cost('euro', 'mistral', 2.5, { prompt_token_cost_unit: 'EUR', completion_token_cost_unit: 'EUR' })]
  expect(names({ sort: [{ id: 'prompt_token_cost', direction: 'desc' }] }, mixed)[0]).toBe('mistral/euro')
})

test('search looks in model and provider, whatever the case', () => {
  expect(names({ search: ' OPENAI ' })).toEqual(['openai/gpt-4o', 'openai/o1'])
  expect(names({ search: 'mini' })).toEqual(['mistral/mini'])
})

test('every word of a search must occur, in any order, in the model or the provider', () => {
  expect(names({ search: '4o azure' })).toEqual(['azure/gpt-4o'])
  expect(names({ search: 'azure mini' })).toEqual([])
})

test('providers and source narrow', () => {
  expect(names({ provider: ['azure', 'mistral'] })).toEqual(['azure/gpt-4o', 'mistral/mini'])
  expect(names({ source: 'yours' })).toEqual([])
})

test('providers are counted by models in force', () => {
  expect(countByProvider(records, asOf)).toEqual([
    { provider: 'openai', count: 2 },
    { provider: 'azure', count: 1 },
    { provider: 'mistral', count: 1 },
  ])
})
