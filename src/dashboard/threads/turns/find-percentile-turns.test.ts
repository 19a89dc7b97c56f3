import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../../../testing/test-property'
import { findPercentileTurns } from './find-percentile-turns'

const turns = (...durations: (number | null)[]) => durations.map((durationMs) => ({ durationMs }))

test('a percentile is one turn, or lies between two', () => {
  expect(findPercentileTurns(turns(300, 100, 200), 50)).toEqual({ durationMs: 200, indexes: [2] })
  expect(findPercentileTurns(turns(400, 100, 300, 200), 50)).toEqual({ durationMs: 250, indexes: [3, 2] })
  expect(findPercentileTurns(turns(400, 100, 300, 200), 99)).toEqual({ durationMs: 397, indexes: [2, 0] })
})

test('turns that run do not count; without a finished turn there is no percentile', () => {
  expect(findPercentileTurns(turns(null, 7, null), 99)).toEqual({ durationMs: 7, indexes: [1] })
  expect(findPercentileTurns(turns(null), 50)).toBeUndefined()
  expect(findPercentileTurns([], 99)).toBeUndefined()
})

test('between turns of the same duration the percentile is theirs', () => {
  expect(findPercentileTurns(turns(5, 5, 5, 5), 99)).toEqual({ durationMs: 5, indexes: [2, 3] })
})

// Whole microseconds, as the service measures them.
const durations = fc.array(fc.option(fc.nat(5_000_000), { freq: 4 }), { maxLength: 60 })

testProperty(
  'the marked turns give the percentile by the plain definition',
  fc.record({ durations, hundredths: fc.constantFrom(0, 50, 99, 100) }),
  { runs: 500 },
  ({ durations: microseconds, hundredths }) => {
    const found = findPercentileTurns(turns(...microseconds.map((each) => (each === null ? null : each / 1000))), hundredths)
    const finished = microseconds.filter((each) => each !== null).toSorted((left, right) => left - right)
    if (finished.length === 0) {
      expect(found).toBeUndefined()
      return
    }
    const rank = (BigInt(finished.length) - 1n) * BigInt(hundredths)
    const below = finished[Number(rank / 100n)] ?? NaN
    const above = finished[Number((rank + 99n) / 100n)] ?? NaN
    const share = Number(rank % 100n)
    expect(found?.durationMs).toBeCloseTo((below * (100 - share) + above * share) / 100_000, 6)
    const marked = found?.indexes.map((index) => microseconds[index]) ?? []
    expect(marked).toEqual(share === 0 ? [below] : [below, above])
    expect(new Set(found?.indexes).size).toBe(marked.length)
  },
)
