import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { choosePrice, type PriceRecord } from './choose-price'
import { calculateAmounts, calculateCallCost } from './cost-of-usage'
import { readUsage, type Usage } from './usage'

const price = (more: Partial<PriceRecord>): PriceRecord => ({
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
  effective_date: '2025-01-01 00:00:00.000000',
  created_at: '2025-01-01 00:00:00.000000',
  created_by: '',
  ...more,
})
const usage = (more: Partial<Usage>): Usage => ({
  requests: 1,
  prompt_tokens: 0,
  completion_tokens: 0,
  total_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  ...more,
})
const startedAt = '2026-01-01 00:00:00.000000'
const newYear = (year: number) => `${year}-01-01 00:00:00.000000`
const [old, recent, exact, future, far] = [newYear(2024), newYear(2025), newYear(2026), newYear(2027), newYear(2028)]

test.each<[string, Partial<PriceRecord>, Partial<PriceRecord>]>([
  [
    'in force beats future, even the catalog’s the project’s own',
    { effective_date: old },
    { effective_date: future, project_id: 'a/b' },
  ],
  ['in force from the very start on', { effective_date: exact }, { effective_date: recent }],
  ['of those in force the project’s own, however old', { effective_date: old, project_id: 'a/b' }, { effective_date: exact }],
  ['of the project’s own the newest', { effective_date: recent, project_id: 'a/b' }, { effective_date: old, project_id: 'a/b' }],
  ['where all are future the project’s own', { effective_date: future, project_id: 'a/b' }, { effective_date: far }],
  ['of those the newest', { effective_date: far }, { effective_date: future }],
  ['the newest before the maker', { effective_date: recent, provider_id: 'azure' }, { effective_date: old }],
  ['the maker before who resells', { provider_id: 'openai' }, { provider_id: 'azure' }],
  ['the maker before another maker that resells', { provider_id: 'anthropic' }, { provider_id: 'google' }],
  ['of resellers the first by name', { provider_id: 'avian' }, { provider_id: 'openrouter' }],
  ['of one provider the least id', { id: 'a' }, { id: 'b' }],
])('a call is priced by %s', (_, wanted, other) => {
  const [left, right] = [price(wanted), price({ id: 'other', ...other })]
  expect(choosePrice([left, right], startedAt, undefined)).toBe(left)
  expect(choosePrice([right, left], startedAt, undefined)).toBe(left)
})

test.each([
  ['azure', 'azure'],
  ['azure.ai.openai', 'azure'],
  ['aws.bedrock', 'openai'],
  ['constructor', 'openai'],
  ['', 'openai'],
])('among records alike, a call that names %j is priced by %s', (named, chosen) => {
  const prices = [price({ id: 'a', provider_id: 'azure' }), price({ id: 'o' })]
  expect(choosePrice(prices, startedAt, named)?.provider_id).toBe(chosen)
})

test('the same record is chosen in whatever order they come', () => {
  const some = fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 0, max: 99 }).map(String),
      project_id: fc.constantFrom('', 'a/b'),
      provider_id: fc.constantFrom('azure', 'openai', 'é', 'z'),
      effective_date: fc.constantFrom(old, recent, exact, future, far),
    }),
    { selector: ({ id }) => id, minLength: 1 },
  )
  fc.assert(
    fc.property(some, fc.nat(50), (fields, shift) => {
      const prices = fields.map((each) => price(each))
      const turned = [...prices.slice(shift % prices.length), ...prices.slice(0, shift % prices.length)].toReversed()
      expect(choosePrice(turned, startedAt, 'azure')).toBe(choosePrice(prices, startedAt, 'azure'))
    }),
  )
})

test.each<[string, Partial<Usage>, Partial<PriceRecord>, (string | null)[]]>([
  [
    'prompt and completion, exactly',
    { prompt_tokens: 3, completion_tokens: 7 },
    { prompt_token_cost: 0.1, completion_token_cost: 1.35e-7 },
    ['0.3', '9.45e-7', null, null],
  ],
  [
    'cached tokens at their own price',
    { prompt_tokens: 10, cache_read_input_tokens: 4, cache_creation_input_tokens: 1 },
    { prompt_token_cost: 1, cache_read_input_token_cost: 0.1, cache_creation_input_token_cost: 2 },
    ['5', '0', '0.4', '2'],
  ],
  [
    'cached tokens as prompt where no price is known',
    { prompt_tokens: 10, cache_read_input_tokens: 4 },
    { prompt_token_cost: 1 },
    ['10', '0', null, null],
  ],
  [
    'only what has a price of its own apart',
    { prompt_tokens: 10, cache_read_input_tokens: 4, cache_creation_input_tokens: 3 },
    { prompt_token_cost: 1, cache_read_input_token_cost: 0 },
    ['6', '0', '0', null],
  ],
  [
    'nothing off where more is cached than there is prompt',
    { prompt_tokens: 3, cache_read_input_tokens: 4 },
    { prompt_token_cost: 1, cache_read_input_token_cost: 0.5 },
    ['3', '0', '2', null],
  ],
  [
    'unknown where the record knows no price, free where it is 0',
    { prompt_tokens: 3, completion_tokens: 4 },
    { prompt_token_cost: null, completion_token_cost: 0 },
    [null, '0', null, null],
  ],
])('costs %s', (_, tokens, costs, expected) => {
  const { prompt, completion, cacheRead, cacheCreation } = calculateAmounts(usage(tokens), price(costs))
  expect([prompt, completion, cacheRead, cacheCreation].map((amount) => amount && amount.toString())).toEqual(expected)
})

test('a project’s own price says so', () => {
  expect(calculateCallCost(usage({}), price({ project_id: 'a/b', created_by: 'ann' }))).toMatchObject({
    pricing_level: 'project',
    pricing_level_id: 'a/b',
    created_by: 'ann',
  })
})

test.each<[string, unknown, object]>([
  [
    'both names of the same count are added',
    { prompt_tokens: 1, input_tokens: 2, completion_tokens: 3, output_tokens: 4 },
    { prompt_tokens: 3, completion_tokens: 7, total_tokens: 10 },
  ],
  ['a total that is said counts', { input_tokens: 2, total_tokens: 9 }, { total_tokens: 9 }],
  ['cached tokens in details', { prompt_tokens: 9, prompt_tokens_details: { cached_tokens: 5 } }, { cache_read_input_tokens: 5 }],
  [
    'cached tokens said twice count once',
    { cache_read_input_tokens: 4, prompt_tokens_details: { cached_tokens: 4 } },
    { cache_read_input_tokens: 4 },
  ],
  [
    'what is no count is none',
    { prompt_tokens: '3', input_tokens: -4, output_tokens: null, requests: Number.NaN },
    { prompt_tokens: 0, completion_tokens: 0, requests: 0 },
  ],
])('of a usage %s', (_, said, expected) => {
  expect(readUsage({ m: said }).get('m')).toMatchObject(expected)
})

test('what is no usage is passed over', () => {
  for (const nonsense of [undefined, null, 'x', 3, [], { m: 'x' }, { m: null }]) expect(readUsage(nonsense).size).toBe(0)
  const hostile: unknown = JSON.parse('{"__proto__": {"prompt_tokens": 1}}')
  expect([...readUsage(hostile).keys()]).toEqual(['__proto__'])
})
