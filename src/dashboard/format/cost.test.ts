import { expect, test } from 'vitest'
import { formatCost } from './cost'

test.each([
  [0, 'free'],
  [0.0123456, '0.0123'],
  [0.000004567, '0.00000457'],
  [1.2345, '1.23'],
  [1234.5, '1,234.50'],
])('a cost of %d is shown as %s', (cost, text) => {
  expect(formatCost(cost)).toBe(text)
})
