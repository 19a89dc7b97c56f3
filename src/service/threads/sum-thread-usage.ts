import * as z from 'zod/mini'
import type { ThreadUsage } from '../../contract/thread-usage'
import { TimeSlices } from '../lib/time-slices'
import { PriceBook } from '../pricing/price-book'
import { parseUsage } from '../pricing/usage'
import { readUsageSender } from '../pricing/usage-sender'
import { callsWhere, providerSql, usageSenderSql } from '../store/merged-calls'
import { engineTime, flag, textOrNull } from '../store/row-types'
import { type Sql, sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { selectUsageSpans, selectUsageTurns } from './select-usage-calls'
import { UsageTotal } from './usage-total'

const StoredUsageRow = z.object({
  trace_id: z.string(),
  id: z.string(),
  parent_id: textOrNull,
  thread_id: textOrNull,
  is_span: flag,
  started_at: engineTime,
  usage: z.string(),
  usage_sender: z.array(z.string()),
  provider: textOrNull,
})
const UsageRow = z.pipe(
  StoredUsageRow,
  z.transform(({ usage, usage_sender: sender, ...row }) => ({
    ...row,
    usage: parseUsage(usage ? JSON.parse(usage) : undefined, readUsageSender(row.is_span, sender)),
  })),
)
type UsageRow = z.infer<typeof UsageRow>

const columns = sql`trace_id, id, parent_id, thread_id, is_span, started_at, JSONExtractRaw(summary, 'usage') AS usage, ${providerSql} AS provider, ${usageSenderSql} AS usage_sender`
const byTrace = sql`ORDER BY trace_id, id`

/** The turns of W&B Weave's clients, each with the usage of all calls below it. */
function selectTurns(projectId: string, threadIds: readonly string[]): Sql {
  const turnIds = sql`SELECT id FROM turns FINAL
    WHERE project_id = ${projectId} AND thread_id IN ${threadIds} AND is_retracted = 0`
  return sql`SELECT ${columns} FROM ${callsWhere(projectId, sql`id IN (${turnIds})`)}
WHERE is_span = 0 AND started_at IS NOT NULL AND thread_id IN ${threadIds} ${byTrace}`
}

/** Whole traces: the spans below a span decide whether it counts, and they may be in other threads. */
function selectSpanTraces(projectId: string, threadIds: readonly string[]): Sql {
  const traceIds = sql`SELECT trace_id FROM call_starts WHERE project_id = ${projectId} AND thread_id IN ${threadIds} AND is_span = 1`
  const ids = sql`SELECT id FROM call_starts WHERE project_id = ${projectId} AND trace_id IN (${traceIds})`
  return sql`SELECT ${columns} FROM ${callsWhere(projectId, sql`id IN (${ids})`)}
WHERE started_at IS NOT NULL ${byTrace}`
}

function selectTrace(projectId: string, traceId: string): Sql {
  const ids = sql`SELECT id FROM call_starts WHERE project_id = ${projectId} AND trace_id = ${traceId}`
  return sql`SELECT ${columns} FROM ${callsWhere(projectId, sql`id IN (${ids})`)}
WHERE trace_id = ${traceId} AND started_at IS NOT NULL ${byTrace}`
}

/**
 * The usage and cost of threads. Call `TurnDeriver.flush` first. Each token is counted once: see select-usage-calls.ts. One
 * trace at a time is held in memory.
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
  const uniqueIds = [...totals.keys()]
  const add = async (selected: readonly { call: UsageRow; threadId: string | null }[]) => {
    const added = selected.flatMap(({ call, threadId }) => {
      const total = threadId === null ? undefined : totals.get(threadId)
      return total ? [{ call, total }] : []
    })
    await prices.load(
      added.flatMap(({ call }) => [...call.usage.keys()]),
      reader,
    )
    for (const { call, total } of added) {
      if (slices.isOver) await slices.next()
      for (const [model, usage] of call.usage) {
        total.add(model, usage, prices.findPrice(model, call.started_at, call.provider ?? undefined))
      }
    }
  }
  for await (const turns of groupByTrace(store.stream(selectTurns(projectId, uniqueIds), UsageRow, options))) {
    const [first] = turns
    const mayBeNested = first && new Set(turns.map((turn) => turn.thread_id)).size < turns.length
    const trace = mayBeNested ? await store.query(selectTrace(projectId, first.trace_id), UsageRow, options) : []
    const selected = await selectUsageTurns(turns, trace)
    await add(selected.map((call) => ({ call, threadId: call.thread_id })))
  }
  for await (const trace of groupByTrace(store.stream(selectSpanTraces(projectId, uniqueIds), UsageRow, options))) {
    await add(await selectUsageSpans(trace))
  }
  const usageById = new Map([...totals].map(([threadId, total]) => [threadId, total.toThreadUsage(threadId)]))
  return threadIds.flatMap((threadId) => usageById.get(threadId) ?? [])
}

/** The calls of each trace, from calls in the order of traces. */
async function* groupByTrace(batches: AsyncIterable<UsageRow[]>): AsyncGenerator<UsageRow[]> {
  let trace: UsageRow[] = []
  for await (const calls of batches) {
    for (const call of calls) {
      if (trace[0] && trace[0].trace_id !== call.trace_id) {
        yield trace
        trace = []
      }
      trace.push(call)
    }
  }
  if (trace.length > 0) yield trace
}
