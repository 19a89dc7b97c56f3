import { expect, test } from 'vitest'
import { describeFewP99 } from './few-turns'

test('the p99 of one turn is that turn, of a few it is close to the slowest', () => {
  expect([1, 2, 9].map(describeFewP99)).toEqual(['is that turn', 'is close to the slowest turn', 'is close to the slowest turn'])
})
