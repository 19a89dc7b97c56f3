import { beforeEach, expect, test } from 'vitest'
import { SignInThrottle } from './sign-in-throttle'

let now = 0
beforeEach(() => {
  now = 0
})

/** The delays of `count` failures in a row from one address, rounded to 50 ms. */
async function delays(throttle: SignInThrottle, address: string, count: number): Promise<number[]> {
  const delaysMs: number[] = []
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now()
    await throttle.delayFailure(address)
    delaysMs.push(Math.round((performance.now() - startedAt) / 50) * 50)
  }
  return delaysMs
}

test('ten failures of an address are free, then each is delayed longer; other addresses are not', async () => {
  const throttle = new SignInThrottle(() => now)
  const delaysMs = await delays(throttle, 'a', 13)
  expect(delaysMs.slice(0, 10)).toEqual(Array(10).fill(0))
  expect(delaysMs[12]).toBeGreaterThanOrEqual(150)
  expect(await delays(throttle, 'b', 1)).toEqual([0])
})

test('failures are forgotten after a minute', async () => {
  const throttle = new SignInThrottle(() => now)
  await delays(throttle, 'a', 12)
  now = 60_000
  expect(await delays(throttle, 'a', 1)).toEqual([0])
})
