import { expect, test } from 'vitest'
import { sumGroups } from './sum-groups'

const cost = (currency: string, total: string) => ({
  currency,
  prompt: total,
  completion: '0.5',
  cache_read: '0',
  cache_creation: '0',
  total,
})
const group = (model: string, tokens: number, costs: ReturnType<typeof cost>[]) => ({
  model,
  call_count: 2,
  unpriced_call_count: 1,
  prompt_tokens: tokens,
  completion_tokens: 3,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 4,
  costs,
})

test('groups are added exactly, each currency by itself', () => {
  const groups = [
    group('a', 10, [cost('USD', '0.1')]),
    group('b', 20, [cost('USD', '0.2'), cost('EUR', '1000000000000.000000001')]),
  ]
  expect(sumGroups(groups)).toEqual({
    call_count: 4,
    unpriced_call_count: 2,
    prompt_tokens: 30,
    completion_tokens: 6,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 8,
    costs: [{ ...cost('USD', '0.3'), completion: '1' }, cost('EUR', '1000000000000.000000001')],
  })
})
