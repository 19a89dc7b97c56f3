import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../../../testing/test-property'
import { type AxisTurn, buildThreadAxis } from './thread-axis'

const turn = (startMs: number, endMs: number | null): AxisTurn => ({ startMs, endMs })

test('a long pause takes no more room than the turns', () => {
  const axis = buildThreadAxis([turn(0, 10), turn(1000, 1030)])
  expect(axis?.folds).toEqual([{ fromMs: 10, toMs: 1000 }])
  expect([0, 10, 1000, 1030].map((ms) => axis?.toPosition(ms))).toEqual([0, 1 / 8, 5 / 8, 1])
})

test('a short pause is drawn as it was, and turns that overlap leave none', () => {
  const axis = buildThreadAxis([turn(0, 50), turn(20, 80), turn(90, 100)])
  expect(axis?.folds).toEqual([])
  expect(axis?.toPosition(50)).toBe(0.5)
})

test('a turn that runs has a place and no length; a turn that ended before it started neither', () => {
  const axis = buildThreadAxis([turn(0, null), turn(100, 90), turn(200, 300)])
  expect(axis?.toPosition(0)).toBe(0)
  expect(axis?.toPosition(100)).toBeCloseTo(0.25)
  expect(axis?.endMs).toBe(300)
})

test('turns without a length are equally far from each other; without a turn there is no axis', () => {
  const axis = buildThreadAxis([turn(0, 0), turn(5, null), turn(5000, 5000)])
  expect([0, 5, 5000].map((ms) => axis?.toPosition(ms))).toEqual([0, 0.5, 1])
  expect(buildThreadAxis([turn(7, 7)])?.toPosition(7)).toBe(0)
  expect(buildThreadAxis([])).toBeUndefined()
})

const turns = fc
  .array(fc.record({ startMs: fc.nat(1_000_000), lengthMs: fc.option(fc.nat(20_000), { freq: 5 }) }), {
    minLength: 1,
    maxLength: 40,
  })
  .map((all) =>
    all
      .map(({ startMs, lengthMs }) => turn(startMs, lengthMs === null ? null : startMs + lengthMs))
      .toSorted((left, right) => left.startMs - right.startMs),
  )

testProperty('the axis never runs backwards, and turns have one scale', turns, { runs: 300 }, (all) => {
  const axis = buildThreadAxis(all)
  if (!axis) throw new Error('there is a turn')
  const times = all.flatMap(({ startMs, endMs }) => [startMs, endMs ?? startMs]).toSorted((left, right) => left - right)
  const positions = times.map(axis.toPosition)
  for (const [index, position] of positions.entries()) {
    expect(position).toBeGreaterThanOrEqual(positions[index - 1] ?? 0)
    expect(position).toBeLessThanOrEqual(1)
  }
  const scales = all.flatMap(({ startMs, endMs }) =>
    endMs === null || endMs === startMs ? [] : [(axis.toPosition(endMs) - axis.toPosition(startMs)) / (endMs - startMs)],
  )
  for (const scale of scales) expect(scale).toBeCloseTo(scales[0] ?? 0, 9)
  const folded = axis.folds.reduce((sum, { fromMs, toMs }) => sum + axis.toPosition(toMs) - axis.toPosition(fromMs), 0)
  if (scales.length > 0) expect(folded).toBeLessThanOrEqual(0.5 + 1e-9)
})
