import { expect, test } from 'vitest'
import { PendingWork } from './pending-work'

test('calls are taken up to a count and up to a number of characters of their ids, but one at least', () => {
  const work = new PendingWork()
  const ids = ['a', 'bb', 'ccc', 'dddd', 'e'.repeat(100), 'f']
  work.addCalls(ids, { order: 1, since: 1 })
  expect([2, 9, 9, 9, 9].map((max) => work.takeCalls(max, 6))).toEqual([['a', 'bb'], ['ccc'], ['dddd'], [ids[4]], ['f']])
  expect(work.callCount).toBe(0)
})
