import * as z from 'zod/mini'
import type { ThreadUsage } from '../../contract/thread-usage'
import { callsWhere, providerSql } from '../store/merged-calls'
import { PriceBook } from '../pricing/price-book'
import { parseUsage } from '../pricing/usage'
import { engineTime } from '../store/row-types'
import { type Sql, sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { countedSpans, countedTurns, type TracedCall } from './counted-calls'
import { UsageSum } from './usage-sum'

const Row = z.object({
  trace_id: z.string(),
  id: z.string(),
  parent_id: z.string(),
  thread_id: z.string(),
  is_span: z.number(),
  started_at: engineTime,
  usage: z.string(),
  provider: z.string(),
})
type Call = TracedCall & { trace_id: string; started_at: string; provider: string }

const columns = sql`trace_id, id, parent_id, thread_id, is_span, started_at, JSONExtractRaw(summary, 'usage') AS usage, ${providerSql} AS provider`
const byTrace = sql`ORDER BY trace_id, id`

/** The turns of Weave's clients, each with the usage of all calls below it. */
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
 * What threads used and cost; call `ThreadSummary.flush` first. Each token is counted once: of Weave's clients the turns, which hold the sum of all below
 * them; of spans those without such a span below. One trace is held in memory at a time.
 */
export async function threadUsage(
  store: Store,
  projectId: string,
  threadIds: readonly string[],
  options: QueryOptions,
): Promise<ThreadUsage[]> {
  const sums = new Map(threadIds.map((threadId) => [threadId, new UsageSum()]))
  const prices = new PriceBook(store, projectId)
  const uniqueIds = [...sums.keys()]
  const add = async (counted: readonly { call: Call; threadId: string }[]) => {
    const wanted = counted.filter(({ threadId }) => sums.has(threadId))
    await prices.load(
      wanted.flatMap(({ call }) => [...call.usage.keys()]),
      options,
    )
    for (const { call, threadId } of wanted) {
      for (const [model, usage] of call.usage) {
        sums.get(threadId)?.add(model, usage, prices.findPrice(model, call.started_at, call.provider || undefined))
      }
    }
  }
  for await (const turns of traces(store, selectTurns(projectId, uniqueIds), options)) {
    const hasNested = new Set(turns.map((turn) => turn.thread_id)).size < turns.length
    const trace = hasNested && turns[0] ? await traceOf(store, projectId, turns[0].trace_id, options) : []
    await add(countedTurns(turns, trace).map((call) => ({ call, threadId: call.thread_id })))
  }
  for await (const trace of traces(store, selectSpanTraces(projectId, uniqueIds), options)) await add(countedSpans(trace))
  const answers = new Map([...sums].map(([threadId, sum]) => [threadId, sum.answer(threadId)]))
  return threadIds.flatMap((threadId) => answers.get(threadId) ?? [])
}

async function traceOf(store: Store, projectId: string, traceId: string, options: QueryOptions): Promise<Call[]> {
  return (await store.query(selectTrace(projectId, traceId), Row, options)).map(callOfRow)
}

/** The calls of a statement in the order of traces, trace by trace. */
async function* traces(store: Store, statement: Sql, options: QueryOptions): AsyncGenerator<Call[]> {
  let trace: Call[] = []
  for await (const rows of store.stream(statement, Row, options)) {
    for (const call of rows.map(callOfRow)) {
      if (trace[0] && trace[0].trace_id !== call.trace_id) {
        yield trace
        trace = []
      }
      trace.push(call)
    }
  }
  if (trace.length > 0) yield trace
}

function callOfRow({ is_span: isSpan, usage, ...row }: z.infer<typeof Row>): Call {
  return { ...row, isSpan: isSpan === 1, usage: parseUsage(usage ? JSON.parse(usage) : undefined) }
}
