import { expect, test } from 'vitest'
import { createSteadyClock } from './steady-clock'

test('follows the wall clock forwards, and the process while the wall clock is set back', () => {
  let [wall, process] = [1000, 0]
  const now = createSteadyClock(
    () => wall,
    () => process,
  )
  const pass = (wallMs: number, processMs: number) => {
    wall += wallMs
    process += processMs
    return now()
  }
  expect(pass(5, 5)).toBe(1005)
  expect(pass(1000, 0)).toBe(2005) // the machine slept
  expect(pass(-900, 10)).toBe(2015)
  expect(pass(10, 10)).toBe(2025)
})
