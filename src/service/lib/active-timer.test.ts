import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ActiveTimer } from './active-timer'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('only the time counts in which it is not paused', () => {
  const onEnd = vi.fn<() => void>()
  const timer = new ActiveTimer(100, onEnd)
  vi.advanceTimersByTime(60)
  timer.pause()
  timer.pause()
  vi.advanceTimersByTime(1000)
  expect(onEnd).not.toHaveBeenCalled()
  timer.resume()
  vi.advanceTimersByTime(39)
  expect(onEnd).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onEnd).toHaveBeenCalledTimes(1)
})
