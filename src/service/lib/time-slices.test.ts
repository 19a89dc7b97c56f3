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

test('of many that work at once, one has a slice in each turn of the event loop', async () => {
  let turn = 0
  let isDone = false
  const countTurns = () => {
    turn += 1
    if (!isDone) setImmediate(countTurns)
  }
  countTurns()
  const slicesByTurn = new Map<number, number>()
  const work = async () => {
    const slices = new TimeSlices()
    for (let count = 0; count < 5; count += 1) {
      await slices.next()
      slicesByTurn.set(turn, (slicesByTurn.get(turn) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: 40 }, work))
  isDone = true
  expect([...slicesByTurn.values()].reduce((sum, count) => sum + count)).toBe(200)
  expect(Math.max(...slicesByTurn.values())).toBe(1)
})
