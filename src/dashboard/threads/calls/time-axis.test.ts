import { expect, test } from 'vitest'
import { joinPeriods, listTicks, toPercent } from './time-axis'

test('labels stand at round times from the start, no more than fit', () => {
  const list = (spanUs: number, maxCount: number, startUs = 0) => listTicks({ startUs, spanUs, zeroUs: 0 }, maxCount)
  expect(list(1_000_000, 4)).toEqual([0, 500_000, 1_000_000])
  expect(list(1_240_000, 5)).toEqual([0, 500_000, 1_000_000])
  expect(list(7, 5)).toEqual([0, 2, 4, 6])
  expect(list(0, 5)).toEqual([0])
  // Half a microsecond has no label of its own.
  expect([list(1, 3), list(3, 9)]).toEqual([
    [0, 1],
    [0, 1, 2, 3],
  ])
  // A call that starts 700 ms before the turn.
  expect(list(5_700_000, 5, -700_000)).toEqual([0, 2_000_000, 4_000_000])
})

test('a time has its place on the scale; what lies outside is at the edge', () => {
  const scale = { startUs: 100, spanUs: 50, zeroUs: 100 }
  expect([90, 100, 125, 150, 999].map((time) => toPercent(time, scale))).toEqual([0, 0, 50, 100, 100])
  expect(toPercent(100, { startUs: 100, spanUs: 0, zeroUs: 100 })).toBe(0)
})

test('periods that would be on the same pixel are one', () => {
  const periods = Array.from({ length: 1000 }, (_, index) => ({ startUs: index * 2, endUs: index * 2 + 1 }))
  const scale = { startUs: 0, spanUs: 4000, zeroUs: 0 }
  expect(joinPeriods([...periods, { startUs: 3000, endUs: 3001 }], scale)).toEqual([
    { startUs: 0, endUs: 1999 },
    { startUs: 3000, endUs: 3001 },
  ])
  expect(periods[0]).toEqual({ startUs: 0, endUs: 1 })
})
