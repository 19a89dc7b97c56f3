import { beforeEach, expect, test } from 'vitest'
import { SignInThrottle } from './failed-sign-ins'

let now = 0
beforeEach(() => {
  now = 0
})

/** How long each of `count` failures in a row from one address was held back, to the nearest twentieth of a second. */
async function delays(failed: SignInThrottle, address: string, count: number): Promise<number[]> {
  const found: number[] = []
  for (let index = 0; index < count; index += 1) {
    const begun = performance.now()
    await failed.delayFailure(address)
    found.push(Math.round((performance.now() - begun) / 50) * 50)
  }
  return found
}

test('the first ten failures of an address are free, then each waits longer; another address does not', async () => {
  const failed = new SignInThrottle(() => now)
  const found = await delays(failed, 'a', 13)
  expect(found.slice(0, 10)).toEqual(Array(10).fill(0))
  expect(found[12]).toBeGreaterThanOrEqual(150)
  expect(await delays(failed, 'b', 1)).toEqual([0])
})

test('a minute later all is forgotten', async () => {
  const failed = new SignInThrottle(() => now)
  await delays(failed, 'a', 12)
  now = 60_000
  expect(await delays(failed, 'a', 1)).toEqual([0])
})
