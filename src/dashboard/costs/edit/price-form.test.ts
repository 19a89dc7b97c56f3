import { describe, expect, test } from 'vitest'
import {
  convertPriceText,
  emptyDraft,
  parsePriceText,
  type PriceDraft,
  priceFormSchema,
  toCorrection,
  toNewCost,
  toPriceText,
  toServerErrors,
} from './price-form'

const draft = (change: Partial<PriceDraft> = {}): PriceDraft => ({
  ...emptyDraft,
  model: ' gpt-4o ',
  prompt_token_cost: '2.50',
  completion_token_cost: '10',
  ...change,
})
const dates = { zone: 'utc', recordDate: '2026-03-01T00:00:00Z' } as const

test('typed prices become prices per token without an error of rounding', () => {
  expect(toNewCost(draft({ cache_read_input_token_cost: '0.075', provider: ' openai ' }), dates)).toEqual({
    prompt_token_cost: 0.0000025,
    completion_token_cost: 0.00001,
    cache_read_input_token_cost: 7.5e-8,
    prompt_token_cost_unit: 'USD',
    completion_token_cost_unit: 'USD',
    provider_id: 'openai',
  })
})

test.each([
  ['0.15', '1M', 1.5e-7],
  ['0.00015', '1K', 1.5e-7],
  ['1.5e-7', 'token', 1.5e-7],
  ['0', '1M', 0],
  ['-1', '1M', undefined],
  ['2,50', '1M', undefined],
  ['', '1M', undefined],
  ['1e999', '1M', undefined],
  ['NaN', '1M', undefined],
  ['0.123456789012345', '1M', 1.23456789012345e-7],
  ['0.12345678901234567891', '1M', undefined],
] as const)('%s per %s is %d per token', (text, unit, price) => {
  expect(parsePriceText(text, unit)).toBe(price)
})

test('a price is written with every digit, and reads back as the same price', () => {
  for (const price of [1.5e-7, 0.1 + 0.2, 5e-324, 123456.789, 0]) {
    for (const unit of ['token', '1K', '1M'] as const) expect(parsePriceText(toPriceText(price, unit), unit)).toBe(price)
  }
})

test.each([
  ['2.50', '1M', '1K', '0.0025'],
  ['2.50', '1M', 'token', '0.0000025'],
  ['0.0000025', 'token', '1M', '2.5'],
  ['0.1', '1K', '1M', '100'],
  ['123456789012345', '1M', 'token', '123456789.012345'],
  ['2,5', '1M', '1K', '2,5'],
  ['', '1M', '1K', ''],
] as const)('%s per %s is, per %s, %s', (text, from, to, converted) => {
  expect(convertPriceText(text, from, to)).toBe(converted)
})

describe('from when the price holds', () => {
  test.each([
    [{ start: 'now' }, undefined],
    [{ start: 'record' }, '2026-03-01T00:00:00Z'],
    [{ start: 'other', startText: '2026-1-31' }, '2026-01-31T00:00:00Z'],
    [{ start: 'other', startText: '2026-01-31 09:30 +01:00' }, '2026-01-31T08:30:00Z'],
  ] as const)('%j', (change, effectiveDate) => {
    expect(toNewCost(draft(change), dates).effective_date).toBe(effectiveDate)
  })
})

test('each wrong field has its own problem', () => {
  const wrong = draft({
    model: ' ',
    currency: '',
    prompt_token_cost: '2,5',
    completion_token_cost: '',
    start: 'other',
    startText: '31.1.',
  })
  const result = priceFormSchema('utc').safeParse(wrong)
  expect(result.error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['model', 'The name of the model is needed, as calls name it.'],
    ['currency', 'A currency is needed, such as USD.'],
    ['prompt_token_cost', 'Write the number without separators, and its decimals with a point: 1250.5'],
    ['completion_token_cost', 'A price is needed. Write 0 where it is free.'],
    ['startText', '“31.1.” is not a time. Write 2026-01-31 or 2026-01-31 09:30.'],
  ])
})

test('a correction of an own record starts where the record does, and of a catalog price now', () => {
  const cost = {
    id: 'a',
    llm_id: 'gpt-4o',
    provider_id: 'openai',
    prompt_token_cost: 0.0025,
    completion_token_cost: 0.01,
    prompt_token_cost_unit: 'EUR',
    completion_token_cost_unit: 'EUR',
    effective_date: '2026-03-01T00:00:00Z',
    cache_read_input_token_cost: null,
    cache_creation_input_token_cost: null,
  }
  const own = toCorrection(cost, true)
  expect(own).toMatchObject({ model: 'gpt-4o', currency: 'EUR', prompt_token_cost: '2500', start: 'record' })
  expect(toNewCost(own, dates)).toMatchObject({ prompt_token_cost: 0.0025, effective_date: '2026-03-01T00:00:00Z' })
  expect(toCorrection(cost, false).start).toBe('now')
})

test('the server’s problems land on their fields', () => {
  const problem = (loc: string[], msg: string) => ({ loc, msg, type: 'value_error' })
  const { fields, others } = toServerErrors([
    problem(['body', 'costs', 'gpt.4o', 'prompt_token_cost'], 'Too large.'),
    problem(['body', 'costs', 'gpt.4o', 'prompt_token_cost_unit'], 'Too long.'),
    problem(['body', 'costs', 'gpt.4o'], 'Not a model.'),
    problem(['body', 'project_id'], 'Read-only.'),
  ])
  expect([...fields]).toEqual([
    ['prompt_token_cost', 'Too large.'],
    ['currency', 'Too long.'],
    ['model', 'Not a model.'],
  ])
  expect(others).toEqual(['project_id: Read-only.'])
})
