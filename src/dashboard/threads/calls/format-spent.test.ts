import { expect, test } from 'vitest'
import { countTokens, formatCosts } from './format-spent'

test('currencies stand beside each other, and what is unknown is null', () => {
  expect(
    formatCosts([
      { currency: 'USD', total: '1' },
      { currency: 'EUR', total: '0.02' },
    ]),
  ).toBe('1.00 USD, 0.02 EUR')
  expect(formatCosts([{ currency: 'USD', total: '0' }])).toBe('free')
  expect(formatCosts([])).toBeNull()
  expect(countTokens({ prompt_tokens: 0, completion_tokens: 0, costs: [] })).toBeNull()
  expect(countTokens({ prompt_tokens: 3, completion_tokens: 4, costs: [] })).toBe(7)
})
