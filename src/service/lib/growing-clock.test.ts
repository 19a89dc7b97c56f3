import { array, integer } from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../../testing/test-property'
import { GrowingClock } from './growing-clock'

test('a reading is the time in microseconds, and later than the one before when the clock is set back', () => {
  let nowMs = 1_790_000_000_000
  const clock = new GrowingClock(() => nowMs)
  expect(clock.next()).toBe(1_790_000_000_000_000)
  nowMs -= 3_600_000
  expect(clock.next()).toBe(1_790_000_000_000_001)
  nowMs += 3_600_001
  expect(clock.next()).toBe(1_790_000_000_001_000)
})

test('a clock starts after the last reading of the process before', () => {
  expect(new GrowingClock(() => 1000, 5_000_000).next()).toBe(5_000_001)
  expect(new GrowingClock(() => 6000, 5_000_000).next()).toBe(6_000_000)
})

testProperty(
  'readings strictly grow, whatever the machine’s clock does',
  array(integer({ min: 0, max: 9e12 })),
  { runs: 200 },
  (times) => {
    let index = 0
    const clock = new GrowingClock(() => times[index] ?? 0)
    let last = 0
    for (; index < times.length; index += 1) {
      const reading = clock.next()
      expect(reading).toBeGreaterThan(last)
      expect(Number.isSafeInteger(reading)).toBe(true)
      last = reading
    }
  },
)
