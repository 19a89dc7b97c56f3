import type { ThreadUsage } from '../../contract/thread-usage'
import { TimeSlices } from '../lib/time-slices'
import { PriceBook } from '../pricing/price-book'
import { readSpentCalls } from '../spend/read-spent-calls'
import type { QueryOptions, Store } from '../store/store'
import { UsageTotal } from './usage-total'

/**
 * The usage and cost of threads: what all their calls spent themselves (see own-usage.ts), each at the price that applies to
 * it. Calls that have arrived count, whether or not the calls above them have ended. What each spent is derived already, so
 * none of them is read. Call `SpendDeriver.flush` first.
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
  for await (const calls of readSpentCalls(store, { projectId, threadIds: [...totals.keys()] }, options)) {
    await prices.load(
      calls.flatMap(({ shares }) => shares.map(({ model }) => model)),
      reader,
    )
    for (const { threadId, startedAt, provider, shares } of calls) {
      if (slices.isOver) await slices.next()
      for (const { model, usage } of shares) {
        totals.get(threadId)?.add(model, usage, prices.findPrice(model, startedAt, provider ?? undefined))
      }
    }
  }
  const usageById = new Map([...totals].map(([threadId, total]) => [threadId, total.toThreadUsage(threadId)]))
  return threadIds.flatMap((threadId) => usageById.get(threadId) ?? [])
}
