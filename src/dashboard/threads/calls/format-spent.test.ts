import { expect, test } from 'vitest'
import { countTokens, formatCost, formatCosts } from './format-spent'

test.each([
  ['0', 'free'],
  ['0.0012345', '0.00123'],
  ['0.5', '0.50'],
  ['0.9999', '1.00'],
  ['12.345', '12.35'],
  ['1234567.8', '1,234,567.80'],
])('%s is written %s', (total, text) => {
  expect(formatCost(total)).toBe(text)
})

test('currencies stand beside each other, and what is unknown is null', () => {
  expect(
    formatCosts([
      { currency: 'USD', total: '1' },
      { currency: 'EUR', total: '0.02' },
    ]),
  ).toBe('1.00 USD, 0.02 EUR')
  expect(formatCosts([])).toBeNull()
  expect(countTokens({ prompt_tokens: 0, completion_tokens: 0, costs: [] })).toBeNull()
  expect(countTokens({ prompt_tokens: 3, completion_tokens: 4, costs: [] })).toBe(7)
})
