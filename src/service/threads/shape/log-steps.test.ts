import { expect, test } from 'vitest'
import { coarseDurationStepsMs, countSteps, durationStepsMs, endOfStep } from './log-steps'

test('steps are round numbers, each about a fifth above the one before', () => {
  expect(durationStepsMs.filter((step) => step >= 1000 && step < 10_000)).toEqual([
    1000, 1200, 1500, 1800, 2200, 2700, 3300, 3900, 4700, 5600, 6800, 8200,
  ])
  expect(countSteps.slice(0, 10)).toEqual([1, 2, 3, 4, 5, 7, 10, 15, 22, 33])
})

test.each([durationStepsMs, coarseDurationStepsMs, countSteps])(
  'a scale grows, and no step is between two microseconds',
  (...steps) => {
    for (const [index, step] of steps.entries()) {
      expect(endOfStep(steps, step)).toBeGreaterThan(step)
      expect(steps[index + 1] ?? Infinity).toBeGreaterThan(step)
      expect(Number.isInteger(Math.round(step * 1e9) / 1e6)).toBe(true)
    }
  },
)

test.each([
  [durationStepsMs, Date.UTC(2299, 0, 1) - Date.UTC(1900, 0, 1)],
  [coarseDurationStepsMs, Date.UTC(2299, 0, 1) - Date.UTC(1900, 0, 1)],
  [countSteps, 2 ** 32 - 1],
])('the last step ends beyond all that can be stored', (steps, greatest) => {
  expect(endOfStep(steps, steps.at(-1) ?? 0)).toBeGreaterThan(greatest)
})
