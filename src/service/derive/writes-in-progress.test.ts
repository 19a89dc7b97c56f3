import { expect, test } from 'vitest'
import { GrowingClock } from '../lib/growing-clock'
import { WritesInProgress } from './writes-in-progress'

const openWrites = (maxKept?: number) => new WritesInProgress(new GrowingClock(() => 1), maxKept)

test('calls are stored up to the oldest insert that has not ended', () => {
  const writes = openWrites()
  const first = writes.begin(['a'])
  const second = writes.begin(['b'])
  second.end()
  expect(writes.storedBefore).toBe(first.insertedAt)
  first.end()
  expect(writes.storedBefore).toBeGreaterThan(second.insertedAt)
})

test('of each project it is known when something was inserted last', () => {
  const writes = openWrites()
  expect(writes.hasInsertedSince('a', 1)).toBe(false)
  const { insertedAt } = writes.begin(['a'])
  expect(writes.hasInsertedSince('a', insertedAt)).toBe(true)
  expect(writes.hasInsertedSince('a', insertedAt + 1)).toBe(false)
  expect(writes.hasInsertedSince('b', 1)).toBe(false)
})

test('of more projects than are kept, those written to the longest ago count as written to by then', () => {
  const writes = openWrites(2)
  const times = ['a', 'b', 'c', 'd'].map((projectId) => writes.begin([projectId]).insertedAt)
  const [ofA = 0, ofB = 0, ofC = 0] = times
  expect(writes.hasInsertedSince('a', ofA)).toBe(true)
  expect(writes.hasInsertedSince('a', ofB)).toBe(true)
  expect(writes.hasInsertedSince('a', ofC)).toBe(false)
  expect(writes.hasInsertedSince('c', ofC)).toBe(true)
  expect(writes.hasInsertedSince('c', ofC + 1)).toBe(false)
})
