import { expect, test } from 'vitest'
import { costContext } from './cost-context'
import { costColumns, ratioOf, unitsOf } from './cost-columns'
import { fieldsFor } from './fields-for'

test('all columns ask for all fields, few columns for what they and the state need', () => {
  expect(fieldsFor([])).toHaveLength(8)
  const hidden = costColumns.map(({ id }) => id).filter((id) => id !== 'llm_id')
  expect(fieldsFor(hidden)).toEqual(['id', 'llm_id', 'effective_date', 'provider_id'])
  expect(fieldsFor(hidden.filter((id) => id !== 'prompt_token_cost'))).toContain('prompt_token_cost_unit')
  expect(fieldsFor(hidden.filter((id) => id !== 'ratio'))).toContain('completion_token_cost')
})

test('prices in two currencies have no ratio', () => {
  const mixed = {
    prompt_token_cost: 1,
    completion_token_cost: 2,
    prompt_token_cost_unit: 'EUR',
    completion_token_cost_unit: 'USD',
  }
  expect(ratioOf(mixed)).toBeUndefined()
  expect(unitsOf(mixed)).toBe('EUR, USD')
  expect(ratioOf({ ...mixed, prompt_token_cost_unit: 'USD' })).toBe(2)
})

test('one currency is said once in the header, several in the cells', () => {
  const usd = { prompt_token_cost: 1e-6, prompt_token_cost_unit: 'USD' }
  expect(costContext([usd], '1M', 'utc').currency).toBe('USD')
  expect(costContext([usd, { prompt_token_cost: 0, prompt_token_cost_unit: 'EUR' }], '1M', 'utc').currency).toBeUndefined()
  expect(costContext([], '1M', 'utc').currency).toBe('')
})

test('the longest price has room', () => {
  const context = costContext([{ prompt_token_cost: 1e-12 }], 'token', 'utc')
  expect(context.room.prompt).toBeGreaterThan('0.000000000001'.length * 8)
})
