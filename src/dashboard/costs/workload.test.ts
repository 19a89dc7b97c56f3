import { constant, integer, nat, oneof, record } from 'fast-check'
import { expect, test } from 'vitest'
import { formatPlainDecimal, toNumber } from '../../contract/decimal'
import { ReceivedCost } from '../../contract/received-costs'
import { testProperty } from '../../testing/test-property'
import { formatWorkload, parseWorkload, priceWorkload } from './workload'

const usd = { prompt_token_cost_unit: 'USD', completion_token_cost_unit: 'USD' }
const toCost = (fields: object) => ReceivedCost.parse({ ...usd, ...fields })
const price = (fields: object, text: string) => {
  const tokens = parseWorkload(text)
  const amount = tokens && priceWorkload(toCost(fields), tokens)
  return amount && formatPlainDecimal(amount)
}

test('a workload of prompt and completion tokens costs the sum of both, to the last digit', () => {
  expect(price({ prompt_token_cost: 3e-6, completion_token_cost: 15e-6 }, '1000,300')).toBe('0.0075')
  expect(formatWorkload({ prompt: 1000, completion: 300, cacheRead: 0, cacheWrite: 0 })).toBe('1,000 + 300')
})

test('cached tokens cost the cache price, and as much as the prompt without one', () => {
  const prices = { prompt_token_cost: 0.1, completion_token_cost: 1 }
  expect(price({ ...prices, cache_read_input_token_cost: 0.01 }, '100,0,40')).toBe('6.4')
  expect(price(prices, '100,0,40')).toBe('10')
})

test('without a price that is needed, or with two currencies, the cost is unknown', () => {
  expect(price({ prompt_token_cost: 1 }, '10,1')).toBeUndefined()
  expect(price({ prompt_token_cost: 1 }, '10,0')).toBe('10')
  const mixed = { prompt_token_cost: 1, completion_token_cost: 1, completion_token_cost_unit: 'EUR' }
  expect(price(mixed, '1,1')).toBeUndefined()
})

test.each(['', 'mix', '1', '1,2,3,4', '-1,2', '1.5,2', '1,2,3', '1e3,1'])('%j is no workload', (text) =>
  expect(parseWorkload(text)).toBeUndefined(),
)

const price6 = integer({ min: 0, max: 1000 })
testProperty(
  'any workload costs what adding up its tokens one by one costs',
  record({
    prompt: nat(30),
    cacheShare: nat(30),
    completion: nat(30),
    input: price6,
    output: price6,
    read: oneof(price6, constant(null)),
  }),
  { runs: 200 },
  ({ prompt, cacheShare, completion, input, output, read }) => {
    const cacheRead = Math.min(prompt, cacheShare)
    const cost = toCost({ prompt_token_cost: input, completion_token_cost: output, cache_read_input_token_cost: read })
    const tokens = [
      ...Array.from({ length: prompt }, (_, index) => (index < cacheRead ? (read ?? input) : input)),
      ...Array.from({ length: completion }, () => output),
    ]
    const amount = priceWorkload(cost, { prompt, completion, cacheRead, cacheWrite: 0 })
    expect(amount && toNumber(amount)).toBe(tokens.reduce((sum, each) => sum + each, 0))
  },
)
