import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { sql, uint64 } from './sql'
import { openTemporaryStore } from './testing/temporary-store'

const engineBytes = 1_500_000_000

let place: Awaited<ReturnType<typeof openTemporaryStore>>
beforeAll(async () => {
  place = await openTemporaryStore({ maxMemoryBytes: engineBytes })
})
afterAll(() => place.remove())

const Count = z.object({ count: z.string() })
/** A list in one aggregate state, which cannot be moved to disk: some hundred megabytes. */
const heavy = sql`SELECT toString(length(groupArray(concat(toString(number), repeat('x', 50))))) AS count
  FROM numbers(${uint64(4_000_000)})`
const tracked = sql`SELECT toString(value) AS count FROM system.metrics WHERE metric = 'MemoryTracking'`

test('six heavy statements of a user at once stay within the memory of the engine, and others are served meanwhile', async () => {
  const over = new AbortController()
  let [peakBytes, servedCount] = [0, 0]
  const other = (async () => {
    while (!over.signal.aborted) {
      const [row] = await place.store.query(tracked, Count, { share: { user: 'lee', projectId: 'lee/project' } })
      peakBytes = Math.max(peakBytes, Number(row?.count))
      servedCount += 1
    }
  })()
  const results = await Promise.allSettled(
    Array.from({ length: 6 }, async (_, index) => {
      return await place.store.query(heavy, Count, { share: { user: 'kim', projectId: `kim/project-${index}` } })
    }),
  )
  over.abort()
  await other
  for (const result of results) {
    // MEMORY_LIMIT_EXCEEDED: the engine ends those that take most.
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 241 })
  }
  expect(peakBytes).toBeGreaterThan(0.3 * engineBytes)
  expect(peakBytes).toBeLessThan(1.1 * engineBytes)
  expect(servedCount).toBeGreaterThan(10)
})
