// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endRetryPause, retryNow, waitForRetry, watchForRetry } from './retry-schedule'

beforeEach(() => {
  vi.useFakeTimers()
  endRetryPause()
})
afterEach(() => {
  retryNow()
  vi.useRealTimers()
})

/** Whether a wait that begins now is over after so many milliseconds. */
async function endsWithin(durationMs: number): Promise<boolean> {
  const ended = vi.fn<() => void>()
  void waitForRetry().then(ended)
  await vi.advanceTimersByTimeAsync(durationMs)
  return ended.mock.calls.length > 0
}

test('each pause is twice as long as the one before, and half a minute at most', async () => {
  for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
    expect(await endsWithin(seconds * 1000 - 1)).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
  }
})

test('after a response nothing waits any longer, and the next pause is short again', async () => {
  await endsWithin(1000)
  await endsWithin(2000)
  const waiting = waitForRetry()
  endRetryPause()
  await waiting
  expect(await endsWithin(1000)).toBe(true)
})

test('the browser that comes online and the tab that becomes visible end the pause; a hidden tab waits', async () => {
  watchForRetry()
  for (const event of [() => dispatchEvent(new Event('online')), () => document.dispatchEvent(new Event('visibilitychange'))]) {
    const ended = vi.fn<() => void>()
    void waitForRetry().then(ended)
    event()
    await vi.advanceTimersByTimeAsync(0)
    expect(ended).toHaveBeenCalledOnce()
  }
  const isHidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  expect(await endsWithin(100_000)).toBe(false)
  isHidden.mockRestore()
})
