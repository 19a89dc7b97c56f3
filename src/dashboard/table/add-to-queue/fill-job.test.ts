import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../../../testing/test-property'
import { afterPiece, newFillJob } from './fill-job'

const target = { queueName: 'Slow', queueId: 'q', draft: null, displayFields: ['inputs'] }
const reply = (added: number, duplicates: number, unknown: string[] = []) => ({
  added_count: added,
  duplicates,
  unknown_call_ids: unknown,
})

test('a job keeps what is left to add, and adds up what became of the rest', () => {
  const job = afterPiece(newFillJob(target, ['a', 'b', 'c', 'd']), 3, reply(1, 1, ['c']), null)
  expect(job).toMatchObject({ callIds: ['d'], addedCount: 1, duplicateCount: 1, unknownIds: ['c'], totalCount: 4 })
})

test('what the first attempt of a repeated piece had added is no duplicate', () => {
  const job = { ...newFillJob(target, ['a', 'b', 'c']), itemCountBefore: 10, isUncertain: true }
  expect(afterPiece(job, 3, reply(1, 2), 13)).toMatchObject({ addedCount: 3, duplicateCount: 0, isUncertain: false })
  expect(afterPiece(job, 3, reply(0, 3), 12)).toMatchObject({ addedCount: 2, duplicateCount: 1 })
})

testProperty(
  'whatever else changes the queue, the counts of all pieces add up to the calls',
  fc.array(fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9), fc.option(fc.integer({ min: -20, max: 60 }))), { maxLength: 5 }),
  { runs: 200 },
  (pieces) => {
    const count = pieces.reduce((sum, [added, duplicates, unknown]) => sum + added + duplicates + unknown, 0)
    let job = {
      ...newFillJob(
        target,
        Array.from({ length: count }, (_, index) => String(index)),
      ),
      itemCountBefore: 5,
    }
    for (const [added, duplicates, unknown, itemCount] of pieces) {
      const unknownIds = job.callIds.slice(0, unknown)
      job = {
        ...afterPiece(job, added + duplicates + unknown, reply(added, duplicates, unknownIds), itemCount),
        itemCountBefore: 5,
      }
    }
    expect(job.callIds).toEqual([])
    expect(job.addedCount + job.duplicateCount + job.unknownIds.length).toBe(job.totalCount)
  },
)
