import { expect, test } from 'vitest'
import { readCsvPrices } from './csv-prices'

const header = 'llm_id,prompt_token_cost,completion_token_cost'

test('reads every column, in any order', () => {
  const text =
    'effective_date,llm_id,completion_token_cost,prompt_token_cost,provider_id,prompt_token_cost_unit,completion_token_cost_unit\r\n' +
    '2026-01-31,gpt-4o,0.00001,2.5e-6,openai,EUR,EUR\r\n'
  expect(readCsvPrices(text)).toEqual({
    prices: [
      {
        llmId: 'gpt-4o',
        cost: {
          prompt_token_cost: 0.0000025,
          completion_token_cost: 0.00001,
          provider_id: 'openai',
          prompt_token_cost_unit: 'EUR',
          completion_token_cost_unit: 'EUR',
          effective_date: '2026-01-31T00:00:00Z',
        },
      },
    ],
    problems: [],
    skipped: {},
  })
})

test('reads the prices of cached tokens, per token or per million', () => {
  const text = `${header},cache_read_cost_per_million,cache_creation_input_token_cost\nclaude,3e-6,1.5e-5,0.3,3.75e-6\nother,1,1,,\n`
  expect(readCsvPrices(text).prices.map(({ cost }) => cost)).toEqual([
    {
      prompt_token_cost: 3e-6,
      completion_token_cost: 1.5e-5,
      cache_read_input_token_cost: 3e-7,
      cache_creation_input_token_cost: 3.75e-6,
    },
    { prompt_token_cost: 1, completion_token_cost: 1 },
  ])
})

test.each([
  ['2.5', 0.0000025],
  ['0.15', 1.5e-7],
  ['0.1', 1e-7],
  ['1.1', 1.1e-6],
  ['3', 0.000003],
  ['.07', 7e-8],
  ['1e3', 0.001],
  ['0', 0],
  ['4.35', 4.35e-6],
  ['123456.789', 0.123456789],
])('%s per million is exactly %d per token', (text, cost) => {
  const { prices } = readCsvPrices(`llm_id,prompt_cost_per_million,completion_cost_per_million\nm,${text},${text}`)
  expect(prices[0]?.cost).toEqual({ prompt_token_cost: cost, completion_token_cost: cost })
})

test.each([
  ['m,,1', 2, 'prompt_token_cost: Field required'],
  [',1,1', 2, 'The name of a model is required'],
  ['m,-1,1', 2, 'prompt_token_cost: Must be 0 or greater'],
  ['m,$1,1', 2, "prompt_token_cost: Must be a decimal number such as 0.0000025, not '$1'."],
  ['m,1,"2,5"', 2, "completion_token_cost: Must be a decimal number such as 0.0000025, not '2,5'."],
  ['m,1,1e999', 2, 'Must be a finite number'],
  ['m,1', 2, 'The row has 2 fields, but the header has 3.'],
  ['m,1,1\n\nn,0x10,1', 4, "not '0x10'"],
  ['__proto__,1,1', 2, 'cannot be a name here'],
  ['m,1,1\nn,"1,1', 3, 'A quote is in the wrong place'],
])('refuses the row %j', (rows, line, msg) => {
  const { problems } = readCsvPrices(`${header}\n${rows}`)
  expect(problems).toEqual([{ line, msg: expect.stringContaining(msg) }])
})

test.each([
  ['llm_id;prompt_token_cost;completion_token_cost\nm;1;1', "The columns are separated by ';'"],
  ['llm_id\tprompt_token_cost\tcompletion_token_cost', 'separated by tabs'],
  ['llm_id,prompt_token_cost', 'The column completion_token_cost (or completion_cost_per_million) is missing'],
  ['prompt_token_cost,completion_token_cost', 'The column llm_id is missing'],
  [`${header},provider`, "There is no column 'provider'. Columns: llm_id, "],
  [`${header},prompt_cost_per_million`, 'Two columns contain the prompt_token_cost'],
  [`${header},effective_date\nm,1,1,yesterday`, "effective_date: Unreadable time 'yesterday'"],
])('refuses the header or date of %j', (text, msg) => {
  expect(readCsvPrices(text).problems[0]?.msg).toContain(msg)
})

test('skips a repeated price, and refuses another price for the same model, provider and date', () => {
  const list = readCsvPrices(`${header},provider_id\nm,1,2,\nm,1.0,2,default\nm,1,3,\nm,1,3,other`)
  expect(list.prices.map(({ cost }) => cost.provider_id)).toEqual([undefined, 'other'])
  expect(list.problems).toEqual([{ line: 4, msg: expect.stringContaining('Line 2 has another price') }])
  expect(list.skipped).toEqual({ 'repeated prices': 1 })
})
