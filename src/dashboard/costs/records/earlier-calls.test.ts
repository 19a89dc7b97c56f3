import { expect, test } from 'vitest'
import { undatedEffectiveDate } from '../../../contract/costs'
import { isForEarlierCalls } from './earlier-calls'

const from = (effective_date: string | null, id = 'a') => ({ id, effective_date })
const may = '2027-05-01T00:00:00Z'
const isForEarlier = (start: string, ...others: ReturnType<typeof from>[]) => isForEarlierCalls(from(start, '~'), others)

test('the first price of a model is for the earlier calls too, whenever it starts', () => {
  expect(isForEarlier(may)).toBe(true)
  expect(isForEarlier(may, from(may))).toBe(true)
})

test('calls that have an older price keep it', () => {
  expect(isForEarlier(may, from(undatedEffectiveDate))).toBe(false)
  expect(isForEarlier(may, from(null))).toBe(false)
  expect(isForEarlier(may, from('2024-01-01T00:00:00Z', 'catalog:a'), from(undatedEffectiveDate, 'catalog:b'))).toBe(false)
})

test('of several prices the newest is for calls before the first', () => {
  expect(isForEarlier(may, from('2026-01-01T00:00:00Z'))).toBe(true)
  expect(isForEarlier('2026-01-01T00:00:00Z', from(may))).toBe(false)
})
