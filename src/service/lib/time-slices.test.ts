import { expect, test } from 'vitest'
import { TimeSlices } from './time-slices'

test('work in slices lets others run in between', async () => {
  const slices = new TimeSlices()
  let turns = 0
  const countTurns = setInterval(() => (turns += 1), 1)
  const endMs = performance.now() + 200
  while (performance.now() < endMs) if (slices.isOver) await slices.next()
  clearInterval(countTurns)
  expect(turns).toBeGreaterThan(3)
})
