import { beforeEach, expect, test } from 'vitest'
import { SignInThrottle } from './sign-in-throttle'

let now = 0
beforeEach(() => {
  now = 0
})

/** How long each of `count` failures in a row from one address was held back, to the nearest twentieth of a second. */
async function delays(throttle: SignInThrottle, address: string, count: number): Promise<number[]> {
  const found: number[] = []
  for (let index = 0; index < count; index += 1) {
    const begun = performance.now()
    await throttle.delayFailure(address)
    found.push(Math.round((performance.now() - begun) / 50) * 50)
  }
  return found
}

test('the first ten failures of an address are free, then each waits longer; another address does not', async () => {
  const throttle = new SignInThrottle(() => now)
  const found = await delays(throttle, 'a', 13)
  expect(found.slice(0, 10)).toEqual(Array(10).fill(0))
  expect(found[12]).toBeGreaterThanOrEqual(150)
  expect(await delays(throttle, 'b', 1)).toEqual([0])
})

test('a minute later all is forgotten', async () => {
  const throttle = new SignInThrottle(() => now)
  await delays(throttle, 'a', 12)
  now = 60_000
  expect(await delays(throttle, 'a', 1)).toEqual([0])
})
