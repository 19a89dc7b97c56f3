import { describe, expect, test } from 'vitest'
import { type SignInAttempt, SignInThrottle } from './sign-in-throttle'

function recordFailures(throttle: SignInThrottle, attempt: SignInAttempt, count: number): (number | string)[] {
  return Array.from({ length: count }, () => {
    try {
      return throttle.recordFailure(attempt)
    } catch (error) {
      return String((error as { kind?: string }).kind)
    }
  })
}
const address = '192.0.2.1'
const free = Array<number>(10).fill(0)
const waiting = Array.from({ length: 10 }, (_, index) => (index + 1) * 1000)

test('ten failures of an address are free, the next wait a second each, and where ten wait it is 429', () => {
  const throttle = new SignInThrottle(() => 0)
  expect(recordFailures(throttle, { address }, 22)).toEqual([...free, ...waiting, 'too_many_requests', 'too_many_requests'])
  expect(throttle.recordFailure({ address: '192.0.2.2' })).toBe(0)
})

test('failures against one user from many addresses wait for each other', () => {
  const throttle = new SignInThrottle(() => 0)
  const guesses = Array.from({ length: 12 }, (_, index) =>
    throttle.recordFailure({ address: `192.0.2.${index}`, username: 'kim' }),
  )
  expect(guesses).toEqual([...free, 1000, 2000])
  expect(throttle.recordFailure({ address: '192.0.2.99', username: 'lee' })).toBe(0)
})

test('one failure is forgotten each second, also after many', () => {
  let now = 0
  const throttle = new SignInThrottle(() => now)
  recordFailures(throttle, { address }, 500)
  now = 3000
  expect(recordFailures(throttle, { address }, 4)).toEqual([8000, 9000, 10_000, 'too_many_requests'])
  now = 23_000
  expect(recordFailures(throttle, { address }, 10)).toEqual(free)
})

describe('memory is bounded', () => {
  test('and an attacker with many addresses or made-up names does not reset the count of the user he guesses at', () => {
    const throttle = new SignInThrottle(() => 0, 100)
    recordFailures(throttle, { address, username: 'kim' }, 20)
    for (let index = 0; index < 10_000; index += 1) {
      throttle.recordFailure({ address: `2001:db8:${index}::/64`, username: `made up ${index}` })
    }
    expect(recordFailures(throttle, { address, username: 'kim' }, 1)).toEqual(['too_many_requests'])
    for (const buckets of Object.values(throttle)) {
      expect((Object.values(buckets as object).find((value) => value instanceof Map) as Map<string, unknown>).size).toBe(100)
    }
  })
})
