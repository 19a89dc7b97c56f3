import { monitorEventLoopDelay } from 'node:perf_hooks'
import * as z from 'zod/mini'
import { sql, uint64 } from '../../src/service/store/sql'
import type { Store } from '../../src/service/store/store'
import { measureInterleaved, median, report } from './report'

const anyRow = z.looseObject({})

// Takes long enough to measure. numbers() runs on one thread, so the second core is free for the second query.
const heavy = (salt: number) => sql`SELECT sum(cityHash64(number, ${uint64(salt)})) AS sum FROM numbers(60000000)`

/** Whether queries run in parallel and leave the event loop free, and how much memory the process holds. */
export async function benchEngine(store: Store): Promise<boolean> {
  const one = (salt: number) => store.query(heavy(salt), anyRow)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const ms = await measureInterleaved(
    {
      one: () => one(1),
      two: () => Promise.all([one(1), one(2)]),
    },
    7,
  )
  delay.disable()
  // The monitor reports the time between its ticks, which are one millisecond apart.
  const lagMs = Math.max(0, delay.percentile(99) / 1e6 - 1)

  const rows = Array.from({ length: 1000 }, (_, index) => ({
    project_id: 'bench/batches',
    id: index.toString(16).padStart(16, '0'),
    op_name: 'answer',
    started_at: '2026-01-01 00:00:00.000000',
    inputs: 'x'.repeat(1000),
    output: 'y'.repeat(1000),
  }))
  const batchLag = monitorEventLoopDelay({ resolution: 1 })
  batchLag.enable()
  const batchMs: number[] = []
  for (let batch = 0; batch < 20; batch += 1) {
    const startedAt = performance.now()
    await store.insert('calls', rows)
    batchMs.push(performance.now() - startedAt)
  }
  batchLag.disable()
  return report('Engine', [
    { name: 'one query', value: ms.one, unit: 'ms' },
    { name: 'two queries at once / one', value: ms.two / ms.one, unit: 'x', target: { max: 1.4 } },
    { name: 'event loop lag under queries, p99', value: lagMs, unit: 'ms', target: { max: 5 } },
    { name: 'insert of 1,000 rows of 2 kB', value: median(batchMs), unit: 'ms' },
    {
      name: 'event loop lag under 1,000-row batches, p99',
      value: Math.max(0, batchLag.percentile(99) / 1e6 - 1),
      unit: 'ms',
      target: { max: 25 },
    },
    { name: 'memory of this process now', value: process.memoryUsage().rss / 1e6, unit: 'MB' },
  ])
}
