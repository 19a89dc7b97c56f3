import { expect, test } from 'vitest'
import { undatedEffectiveDate } from '../../../contract/costs'
import { describeEarlierCalls } from './describe-earlier-calls'

const from = (effective_date: string | null, id = 'a') => ({ id, effective_date })
const may = '2027-05-01T00:00:00Z'
const describe = (start: string, ...others: ReturnType<typeof from>[]) => describeEarlierCalls(from(start, '~'), others, 'utc')

test('the first price of a model is for the earlier calls too, whenever it starts', () => {
  expect(describe(may)).toBe('also for the earlier calls: the model has no earlier price')
  expect(describe(may, from(may))).toBe('also for the earlier calls: the model has no earlier price')
})

test('calls that have an older price keep it', () => {
  expect(describe(may, from(undatedEffectiveDate))).toBeUndefined()
  expect(describe(may, from(null))).toBeUndefined()
  expect(describe(may, from('2024-01-01T00:00:00Z', 'catalog:a'), from(undatedEffectiveDate, 'catalog:b'))).toBeUndefined()
})

test('of several prices the newest is for calls before the first', () => {
  expect(describe(may, from('2026-01-01T00:00:00Z'))).toBe('also for calls before 2026-01-01: no price is older')
  expect(describe('2026-01-01T00:00:00Z', from(may))).toBeUndefined()
})
