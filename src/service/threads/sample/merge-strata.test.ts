import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../../../testing/test-property'
import { findShare, mergeStrata } from './merge-strata'

test('strata take turns, and what one lacks the others give', () => {
  const turn = (id: string, stratum: string) => ({ id, stratum, rank: id })
  const turns = [turn('1', 'gpt'), turn('2', 'gpt'), turn('3', 'gpt'), turn('4', 'claude'), turn('5', 'gpt')]
  expect(mergeStrata(turns, 4).map(({ id }) => id)).toEqual(['1', '4', '2', '3'])
  expect(findShare([4, 1], 4)).toBe(3)
})

test.each([
  [[100, 3, 50], 23, 10],
  [[100], 30, 30],
  [[2, 2], 10, 2],
  [[5, 5, 5], 4, 2],
  [[], 10, 0],
  [[7], 0, 0],
])('of strata of %j turns a sample of %i needs at most %i each', (counts, size, share) => {
  expect(findShare(counts, size)).toBe(share)
})

testProperty(
  'the strata of a sample add up to its size, none gets two more than another that has turns left, and a smaller sample is the beginning',
  fc.record({ counts: fc.array(fc.nat(30), { maxLength: 6 }), size: fc.nat(80), smaller: fc.nat(80) }),
  { runs: 300 },
  ({ counts, size, smaller }) => {
    const turns = counts.flatMap((count, stratum) =>
      Array.from({ length: count }, (_, index) => ({
        id: `${stratum}-${index}`,
        stratum: String(stratum),
        rank: String((index * 7919 + stratum * 31) % 1009).padStart(4, '0'),
      })),
    )
    const sample = mergeStrata(turns, size)
    expect(sample).toHaveLength(Math.min(size, turns.length))
    const sampledCounts = counts.map((_, stratum) => sample.filter((turn) => turn.stratum === String(stratum)).length)
    const most = Math.max(0, ...sampledCounts)
    for (const [stratum, count] of counts.entries()) {
      const sampled = sampledCounts[stratum] ?? 0
      if (sampled < count) expect(most - sampled).toBeLessThanOrEqual(1)
    }
    expect(most).toBeLessThanOrEqual(findShare(counts, size))
    expect(mergeStrata(turns, Math.min(smaller, size))).toEqual(sample.slice(0, smaller))
  },
)
