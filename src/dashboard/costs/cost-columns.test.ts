import { expect, test } from 'vitest'
import { buildCostDisplay } from './cost-display'
import { costColumns, getPriceRatio, formatCurrencies } from './cost-columns'
import { requiredCostFields } from './fields-for'

test('all columns ask for all fields, few columns for what they and the state need', () => {
  expect(requiredCostFields([])).toHaveLength(8)
  const hidden = costColumns.map(({ id }) => id).filter((id) => id !== 'llm_id')
  expect(requiredCostFields(hidden)).toEqual(['id', 'llm_id', 'effective_date', 'provider_id'])
  expect(requiredCostFields(hidden.filter((id) => id !== 'prompt_token_cost'))).toContain('prompt_token_cost_unit')
  expect(requiredCostFields(hidden.filter((id) => id !== 'ratio'))).toContain('completion_token_cost')
})

test('prices in two currencies have no ratio', () => {
  const mixed = {
    prompt_token_cost: 1,
    completion_token_cost: 2,
    prompt_token_cost_unit: 'EUR',
    completion_token_cost_unit: 'USD',
  }
  expect(getPriceRatio(mixed)).toBeUndefined()
  expect(formatCurrencies(mixed)).toBe('EUR, USD')
  expect(getPriceRatio({ ...mixed, prompt_token_cost_unit: 'USD' })).toBe(2)
})

test('one currency is said once in the header, several in the cells', () => {
  const usd = { prompt_token_cost: 1e-6, prompt_token_cost_unit: 'USD' }
  expect(buildCostDisplay([usd], '1M', 'utc').currency).toBe('USD')
  expect(buildCostDisplay([usd, { prompt_token_cost: 0, prompt_token_cost_unit: 'EUR' }], '1M', 'utc').currency).toBeUndefined()
  expect(buildCostDisplay([], '1M', 'utc').currency).toBe('')
})

test('the longest price has room', () => {
  const context = buildCostDisplay([{ prompt_token_cost: 1e-12 }], 'token', 'utc')
  expect(context.room.prompt).toBeGreaterThan('0.000000000001'.length * 8)
})
