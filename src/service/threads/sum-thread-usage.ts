import type { ThreadUsage } from '../../contract/thread-usage'
import { TimeSlices } from '../lib/time-slices'
import { PriceBook } from '../pricing/price-book'
import { sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { readTraces } from '../traces/read-traces'
import { findOwnUsage } from '../usage/own-usage'
import { UsageTotal } from './usage-total'

/**
 * The usage and cost of threads: what all their calls spent themselves (see own-usage.ts), each at the price that applies to
 * it. Calls that have arrived count, whether or not the calls above them have ended. One trace at a time is held in memory.
 */
export async function sumThreadUsage(
  store: Store,
  projectId: string,
  threadIds: readonly string[],
  reader: QueryOptions,
): Promise<ThreadUsage[]> {
  // Few threads may have many calls.
  const options: QueryOptions = { ...reader, lane: 'scan' }
  const totals = new Map(threadIds.map((threadId) => [threadId, new UsageTotal()]))
  const prices = new PriceBook(store, projectId)
  const slices = new TimeSlices()
  const inThreads = sql`SELECT id FROM call_starts WHERE project_id = ${projectId} AND thread_id IN ${[...totals.keys()]}`
  for await (const trace of readTraces(store, projectId, inThreads, options)) {
    const spent = (await findOwnUsage(trace, slices)).flatMap(({ call, threadId, usage }) => {
      const total = threadId === null ? undefined : totals.get(threadId)
      return total ? [{ call, usage, total }] : []
    })
    await prices.load(
      spent.flatMap(({ usage }) => [...usage.keys()]),
      reader,
    )
    for (const { call, usage, total } of spent) {
      if (slices.isOver) await slices.next()
      for (const [model, tokens] of usage) {
        total.add(model, tokens, prices.findPrice(model, call.started_at, call.provider ?? undefined))
      }
    }
  }
  const usageById = new Map([...totals].map(([threadId, total]) => [threadId, total.toThreadUsage(threadId)]))
  return threadIds.flatMap((threadId) => usageById.get(threadId) ?? [])
}
