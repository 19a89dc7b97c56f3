import { expect, test } from 'vitest'
import { listLinearTicks, toPlaceTicks } from './ticks'

test('an axis from zero has round numbers', () => {
  expect(listLinearTicks(100, 4)).toEqual([0, 50, 100])
  expect(listLinearTicks(17, 4)).toEqual([0, 5, 10, 15])
  expect(listLinearTicks(0.31, 4)).toEqual([0, 0.1, 0.2, 0.3])
  expect(listLinearTicks(0, 4)).toEqual([0])
})

test('of many places some have a label, the last one always', () => {
  expect(toPlaceTicks(['a', 'b'])).toEqual([
    { at: 0.25, label: 'a' },
    { at: 0.75, label: 'b' },
  ])
  const labels = Array.from({ length: 30 }, (_, index) => String(index))
  expect(toPlaceTicks(labels).map(({ label }) => label)).toEqual(['1', '5', '9', '13', '17', '21', '25', '29'])
})
