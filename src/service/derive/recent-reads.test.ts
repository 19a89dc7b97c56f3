import { expect, test } from 'vitest'
import { RecentReads } from './recent-reads'

test('a read is remembered for half a minute after the last one', () => {
  let nowMs = 0
  const reads = new RecentReads(() => nowMs)
  reads.note('a/p')
  nowMs = 20_000
  reads.note('b/p')
  reads.note('a/p')
  nowMs = 49_999
  expect(['a/p', 'b/p', 'c/p'].map((each) => reads.has(each))).toEqual([true, true, false])
  nowMs = 50_000
  reads.note('c/p')
  expect(['a/p', 'b/p', 'c/p'].map((each) => reads.has(each))).toEqual([false, false, true])
})
