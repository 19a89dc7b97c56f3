import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { waitWhileBusy } from './wait-while-busy'

/** Processor time of a process that uses this share of all processors until `endMs`. */
function usageUntil(endMs: number, share: number): () => number {
  return () => Math.min(performance.now(), endMs) * 1000 * availableParallelism() * share
}

test('waits until less than half of the processors are used', async () => {
  const startMs = performance.now()
  const { signal } = new AbortController()
  await waitWhileBusy({ maxMs: 20_000, signal, readUsage: usageUntil(startMs + 1000, 0.8) })
  const tookMs = performance.now() - startMs
  expect(tookMs).toBeGreaterThan(1000)
  expect(tookMs).toBeLessThan(20_000)
})

test('waits for a moment only where less is used', async () => {
  const startMs = performance.now()
  await waitWhileBusy({ maxMs: 20_000, signal: new AbortController().signal, readUsage: usageUntil(Infinity, 0.3) })
  expect(performance.now() - startMs).toBeLessThan(10_000)
})

test('waits no longer than it may, and not after it is stopped', async () => {
  const startMs = performance.now()
  const always = usageUntil(Infinity, 1)
  await waitWhileBusy({ maxMs: 600, signal: new AbortController().signal, readUsage: always })
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(600)
  await waitWhileBusy({ maxMs: 600_000, signal: AbortSignal.abort(), readUsage: always })
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 100)
  await waitWhileBusy({ maxMs: 600_000, signal: stop.signal, readUsage: always })
})
