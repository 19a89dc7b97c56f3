import { expect, test } from 'vitest'
import { continueVisit, findChanges } from './last-visit'

const minute = 60_000

test('what changed is counted from the end of the visit before; a look within half an hour is the same visit', () => {
  const first = continueVisit(undefined, 0)
  expect(first).toEqual({ sinceMs: null, lastSeenMs: 0 })
  expect(continueVisit(first, 30 * minute)).toEqual({ sinceMs: null, lastSeenMs: 30 * minute })
  const second = continueVisit(first, 31 * minute)
  expect(second).toEqual({ sinceMs: 0, lastSeenMs: 31 * minute })
  expect(continueVisit(second, 32 * minute)).toEqual({ sinceMs: 0, lastSeenMs: 32 * minute })
})

test('a clock that was set back does not move the end of a visit back', () => {
  expect(continueVisit({ sinceMs: 5, lastSeenMs: 100 }, 50)).toEqual({ sinceMs: 5, lastSeenMs: 100 })
})

const item = (id: string, startMs: number | null, updatedMs: number | null) => ({ id, startMs, updatedMs })

test('rows that began since are new, others that changed are updated', () => {
  const items = [item('old', 1, 10), item('updated', 1, 11), item('new', 11, 12), item('undated', null, null)]
  expect([...findChanges(items, 10)]).toEqual([
    ['updated', 'updated'],
    ['new', 'new'],
  ])
  expect(findChanges(items, null).size).toBe(0)
})

test('where every row changed none is marked', () => {
  expect(findChanges([item('a', 5, 6), item('b', 1, 6)], 2).size).toBe(0)
  expect(findChanges([], 2).size).toBe(0)
})
