import { expect, test } from 'vitest'
import { readLitellmPrices } from './litellm-prices'

test('reads the prices per token and counts the models with other prices', () => {
  const text = JSON.stringify(
    {
      sample_spec: { input_cost_per_token: 'the cost' },
      'gpt-4o': { input_cost_per_token: 2.5e-6, output_cost_per_token: 0.00001, litellm_provider: 'openai', mode: 'chat' },
      free: { input_cost_per_token: 0, output_cost_per_token: '1e-07' },
      'dall-e': { input_cost_per_pixel: 1, litellm_provider: 'openai', mode: 'image_generation' },
      half: { input_cost_per_token: 1e-6, output_cost_per_token: null },
    },
    null,
    4,
  )
  expect(readLitellmPrices(text)).toEqual({
    prices: [
      {
        llmId: 'gpt-4o',
        cost: { prompt_token_cost: 0.0000025, completion_token_cost: 0.00001, provider_id: 'openai' },
      },
      { llmId: 'free', cost: { prompt_token_cost: 0, completion_token_cost: 1e-7 } },
    ],
    problems: [],
    skipped: { 'models without prices per token': 1, 'models with a price per token in one direction only': 1 },
  })
})

test('keeps the prices of cached tokens, and says which models lose their price for long prompts', () => {
  const price = { input_cost_per_token: 3e-6, output_cost_per_token: 15e-6 }
  const text = JSON.stringify({
    claude: { ...price, cache_read_input_token_cost: 3e-7, cache_creation_input_token_cost: '3.75e-6' },
    long: { ...price, input_cost_per_token_above_200k_tokens: 6e-6 },
    longer: { ...price, cache_read_input_token_cost_above_200k_tokens: 6e-7, output_cost_per_token_above_128k_tokens: 1 },
  })
  const { prices, losses } = readLitellmPrices(text)
  expect(prices[0]?.cost).toEqual({
    prompt_token_cost: 3e-6,
    completion_token_cost: 15e-6,
    cache_read_input_token_cost: 3e-7,
    cache_creation_input_token_cost: 3.75e-6,
  })
  expect(losses).toEqual(['A price for long prompts is not stored, because a record has one price: long, longer.'])
})

test('names the line of a wrong entry', () => {
  const text =
    '{\n"a": {"input_cost_per_token": -1, "output_cost_per_token": 1},\n"b": [],\n"c": {"input_cost_per_token": "x", "output_cost_per_token": 1}}'
  expect(readLitellmPrices(text).problems).toEqual([
    { line: 2, msg: expect.stringContaining('a: prompt_token_cost: Must be 0 or greater') },
    { line: 3, msg: 'b: Must be an object of prices.' },
    { line: 4, msg: expect.stringContaining('c: prompt_token_cost: Must be a number') },
  ])
})

test.each([
  ['{\n"a": {},\n"b": }', 3],
  ['{\n"a": {}\n', 3],
  ['[]', 1],
])('refuses %j', (text, line) => {
  expect(readLitellmPrices(text).problems).toEqual([
    { line, msg: expect.stringContaining('Expected one JSON object of models.') },
  ])
})
