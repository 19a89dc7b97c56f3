import { expect, test } from 'vitest'
import { ReceivedCost } from '../../contract/received-costs'
import { formatCurrencies, getPriceRatio, listPriceColumns } from './cost-columns'
import { buildCostDisplay } from './cost-display'
import { recordColumns } from './record-columns'
import { requiredCostFields } from './record-request'

const noCost = ReceivedCost.parse({})
const options = { unit: '1M', zone: 'utc' } as const

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
  const hidden = recordColumns.map(({ id }) => id).filter((id) => id !== 'llm_id')
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
  expect(prompt.tailLength).toBe('.000000000001'.length)
})

test('one price with far more digits does not part the others from their edge', () => {
  const usual = [
    { ...noCost, prompt_token_cost: 2.5e-6 },
    { ...noCost, prompt_token_cost: 3.75e-8 },
  ]
  const { prompt } = buildCostDisplay([...usual, { ...noCost, prompt_token_cost: 1.5e-18 }], { ...options, unit: '1M' })
  expect(prompt.tailLength).toBe('.0375'.length)
  expect(prompt.minWidth).toBeGreaterThan('0.0000000000015'.length * 8)
})

test('several currencies have a slot beside the digits, as wide as the longest of them', () => {
  const inCurrency = (prompt_token_cost_unit: string) => ({ ...noCost, prompt_token_cost: 1e-6, prompt_token_cost_unit })
  expect(buildCostDisplay([inCurrency('USD')], options).currencyWidth).toBe(0)
  const short = buildCostDisplay([inCurrency('USD'), inCurrency('EUR')], options)
  const long = buildCostDisplay([inCurrency('USD'), inCurrency('credits')], options)
  expect(long.currencyWidth).toBeGreaterThan(short.currencyWidth)
  expect(long.prompt.minWidth - short.prompt.minWidth).toBe(long.currencyWidth - short.currencyWidth)
})

test('the prices in force have columns for cached tokens and for the workload where these are known', () => {
  const ids = (has: Parameters<typeof listPriceColumns>[0]) =>
    listPriceColumns(has)
      .filter(({ isHiddenByDefault }) => !isHiddenByDefault)
      .map(({ id }) => id)
  const [names, prices] = [
    ['llm_id', 'provider_id'],
    ['prompt_token_cost', 'completion_token_cost'],
  ]
  const rest = ['effective_date', 'source']
  expect(ids({ cachePrices: false, workload: false })).toEqual([...names, ...prices, 'ratio', ...rest])
  expect(ids({ cachePrices: true, workload: true })).toEqual([
    ...names,
    'workload',
    ...prices,
    'cache_read_input_token_cost',
    ...rest,
  ])
})
