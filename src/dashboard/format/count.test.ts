import { expect, test } from 'vitest'
import { formatCount, formatQuantity } from './count'

test('groups digits by thousands', () => {
  expect(['1', '999', '1000', '1234567'].map(formatCount)).toEqual(['1', '999', '1,000', '1,234,567'])
})

test('names what is counted', () => {
  expect([0, 1, 12_000].map((count) => formatQuantity(count, 'call'))).toEqual(['0 calls', '1 call', '12,000 calls'])
  expect(formatQuantity(2, 'line is', 'lines are')).toBe('2 lines are')
})
