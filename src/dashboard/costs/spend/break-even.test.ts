import { integer, record } from 'fast-check'
import { expect, test } from 'vitest'
import { toDecimal, toNumber } from '../../../contract/decimal'
import type { SpendGroup } from '../../../contract/spend'
import { testProperty } from '../../../testing/test-property'
import { findBreakEven, toCompletionShare, toPaidPrice } from './break-even'

const toPrice = (prompt: number, completion: number) => ({ prompt: toDecimal(prompt), completion: toDecimal(completion) })

test('a model with a cheap prompt and one with a cheap completion cost the same at one mix', () => {
  expect(findBreakEven(toPrice(1, 5), toPrice(2, 2))).toBe(0.25)
  expect(findBreakEven(toPrice(1, 5), toPrice(2, 6))).toBeUndefined()
  expect(findBreakEven(toPrice(1, 5), toPrice(2, 5.5))).toBeUndefined()
  expect(findBreakEven(toPrice(1, 5), toPrice(1, 5))).toBeUndefined()
})

const price = record({ prompt: integer({ min: 0, max: 50 }), completion: integer({ min: 0, max: 50 }) })
testProperty(
  'at the break-even mix both cost the same; without one, one of them is never dearer',
  record({ left: price, right: price }),
  { runs: 500 },
  ({ left, right }) => {
    const share = findBreakEven(toPrice(left.prompt, left.completion), toPrice(right.prompt, right.completion))
    const costAt = ({ prompt, completion }: typeof left, x: number) => prompt * (1 - x) + completion * x
    if (share === undefined) {
      const signs = new Set([0, 0.5, 1].map((x) => Math.sign(costAt(left, x) - costAt(right, x))))
      expect(signs.has(1) && signs.has(-1)).toBe(false)
    } else expect(costAt(left, share)).toBeCloseTo(costAt(right, share), 9)
  },
)

test('the price paid has the caches in its prompt', () => {
  const group = {
    call_count: 1,
    unpriced_call_count: 0,
    prompt_tokens: 100,
    completion_tokens: 25,
    cache_read_input_tokens: 50,
    cache_creation_input_tokens: 0,
    costs: [{ currency: 'USD', prompt: '50', completion: '75', cache_read: '5', cache_creation: '1', total: '131' }],
  } satisfies SpendGroup
  const paid = toPaidPrice(group, 'USD')
  expect(paid && [toNumber(paid.prompt), toNumber(paid.completion)]).toEqual([0.56, 3])
  expect(toPaidPrice(group, 'EUR')).toBeUndefined()
  expect(toPaidPrice({ ...group, completion_tokens: 0 }, 'USD')).toBeUndefined()
  expect(toCompletionShare(group)).toBe(0.2)
  expect(toCompletionShare({ ...group, prompt_tokens: 0, completion_tokens: 0 })).toBeUndefined()
})
