import { expect, test } from 'vitest'
import { formatCount } from './count'

test('groups digits by thousands', () => {
  expect(['1', '999', '1000', '1234567'].map(formatCount)).toEqual(['1', '999', '1,000', '1,234,567'])
})
