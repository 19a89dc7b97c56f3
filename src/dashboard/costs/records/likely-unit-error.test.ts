import { expect, test } from 'vitest'
import type { ReceivedCost } from '../../../contract/received-costs'
import { findReferencePrice, findUnitError } from './likely-unit-error'

test('a price that is about 1,000 or 1,000,000 times another is likely in the wrong unit', () => {
  expect(findUnitError(0.0025, 0.0000025)).toBe(3)
  expect(findUnitError(2.5, 0.0000025)).toBe(6)
  expect(findUnitError(0.0000000031, 0.0000025)).toBe(-3)
})

test.each([
  [0.000025, 0.0000025],
  [0.00000025, 0.0000025],
  [0, 0.0000025],
  [0.0000025, 0],
])('%d is plausible beside %d', (price, reference) => {
  expect(findUnitError(price, reference)).toBe(0)
})

test('the reference is the middle one of the prices in the same currency, free ones left out', () => {
  const cost = (prompt: number | null, currency = 'USD') =>
    ({ prompt_token_cost: prompt, prompt_token_cost_unit: currency }) as ReceivedCost // only these fields are read
  expect(findReferencePrice([cost(0), cost(3), cost(1), cost(900), cost(2, 'EUR'), cost(null)], 'prompt_token_cost', 'USD')).toBe(
    3,
  )
  expect(findReferencePrice([cost(0)], 'prompt_token_cost', 'USD')).toBeUndefined()
})
