import { afterAll, vi } from 'vitest'

// Test files share a process: what one of them leaves changed would fail the next.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
