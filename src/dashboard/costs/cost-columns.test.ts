import { expect, test } from 'vitest'
import { ReceivedCost } from '../../contract/received-costs'
import { costColumns, formatCurrencies, getPriceRatio } from './cost-columns'
import { buildCostDisplay } from './cost-display'
import { requiredCostFields } from './record-request'

const noCost = ReceivedCost.parse({})
const options = { unit: '1M', zone: 'utc', toState: () => undefined } as const

test('prices in two currencies have no ratio', () => {
  const mixed = {
    ...noCost,
    prompt_token_cost: 1,
    completion_token_cost: 2,
    prompt_token_cost_unit: 'EUR',
    completion_token_cost_unit: 'USD',
  }
  expect(getPriceRatio({ ...mixed, prompt_token_cost_unit: 'USD' })).toBe(2)
  expect(getPriceRatio(mixed)).toBeUndefined()
  expect(formatCurrencies(mixed)).toBe('EUR, USD')
})

test('hidden columns are not requested, unless a shown column or the state needs them', () => {
  expect(requiredCostFields([])).toHaveLength(8)
  const hidden = costColumns.map(({ id }) => id).filter((id) => id !== 'llm_id')
  expect(requiredCostFields(hidden)).toEqual(['id', 'llm_id', 'effective_date', 'provider_id'])
  expect(requiredCostFields(hidden.filter((id) => id !== 'prompt_token_cost'))).toContain('prompt_token_cost_unit')
  expect(requiredCostFields(hidden.filter((id) => id !== 'ratio'))).toContain('completion_token_cost')
})

test('the header shows the currency if there is only one', () => {
  const usd = { ...noCost, prompt_token_cost: 1e-6, prompt_token_cost_unit: 'USD' }
  expect(buildCostDisplay([usd], options).currency).toBe('USD')
  expect(
    buildCostDisplay([usd, { ...noCost, prompt_token_cost: 0, prompt_token_cost_unit: 'EUR' }], options).currency,
  ).toBeUndefined()
  expect(buildCostDisplay([], options).currency).toBe('')
})

test('a price column is wide enough for its longest price', () => {
  const { prompt } = buildCostDisplay([{ ...noCost, prompt_token_cost: 1e-12 }], { ...options, unit: 'token' })
  expect(prompt.minWidth).toBeGreaterThan('0.000000000001'.length * 8)
})
