import { expect, test } from 'vitest'
import { SignInThrottle } from './sign-in-throttle'

function recordFailures(throttle: SignInThrottle, address: string, count: number): number[] {
  return Array.from({ length: count }, () => throttle.recordFailure(address))
}

test('ten failures of an address are free, then each waits longer, up to a second; other addresses do not wait', () => {
  const throttle = new SignInThrottle(() => 0)
  expect(recordFailures(throttle, '10.0.0.1', 13)).toEqual([...Array<number>(10).fill(0), 50, 100, 150])
  expect(recordFailures(throttle, '10.0.0.1', 100).at(-1)).toBe(1000)
  expect(throttle.recordFailure('10.0.0.2')).toBe(0)
})

test('failures are forgotten after a minute', () => {
  let now = 0
  const throttle = new SignInThrottle(() => now)
  recordFailures(throttle, '10.0.0.1', 12)
  now = 59_999
  expect(throttle.recordFailure('10.0.0.1')).toBe(150)
  now = 60_000
  expect(throttle.recordFailure('10.0.0.1')).toBe(0)
})
