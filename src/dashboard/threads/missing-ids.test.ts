import { expect, test } from 'vitest'
import { findMissingIds, formatMissingIds } from './missing-ids'

test('thread ids without a thread are named', () => {
  const missing = findMissingIds(['a', 'b', 'c'], [{ thread_id: 'b' }])
  expect(formatMissingIds(missing, 3, false)).toBe('2 of 3 thread ids were not found: a, c')
  expect(formatMissingIds(missing, 3, true)).toBe('2 of 3 thread ids have no turn in this time range: a, c')
})

test('many missing ids are counted after the first ten', () => {
  const missing = Array.from({ length: 12 }, (_, index) => `t${index}`)
  expect(formatMissingIds(missing, 200, false)).toMatch(/^12 of 200 .*t9 and 2 more$/)
})
