import * as z from 'zod/mini'
import type { ThreadUsage } from '../../contract/read-calls'
import { callsWhere } from '../store/merged-calls'
import { providerSql } from '../calls/call-row-schema'
import { PriceBook } from '../pricing/price-book'
import { readUsage } from '../pricing/usage'
import type { QueryOptions, Store } from '../store/store'
import { countedSpans, countedTurns, type TracedCall } from './counted-calls'
import { UsageSum } from './usage-sum'

const Row = z.object({
  trace_id: z.string(),
  id: z.string(),
  parent_id: z.string(),
  thread_id: z.string(),
  is_span: z.number(),
  started_at: z.string(),
  usage: z.string(),
  provider: z.string(),
})
type Call = TracedCall & { trace_id: string; started_at: string; provider: string }

const columns = `trace_id, id, parent_id, thread_id, is_span, started_at, JSONExtractRaw(summary, 'usage') AS usage, ${providerSql}`
const byTrace = 'ORDER BY trace_id, id'

// The turns of Weave's clients, each with the usage of all below it.
const selectTurns = `SELECT ${columns} FROM ${callsWhere(`id IN (
    SELECT id FROM turns FINAL
    WHERE project_id = {project_id:String} AND thread_id IN {thread_ids:Array(String)} AND is_retracted = 0)`)}
WHERE is_span = 0 AND started_at IS NOT NULL AND thread_id IN {thread_ids:Array(String)} ${byTrace}`

const starts = 'call_starts WHERE project_id = {project_id:String}'

// Whole traces: what lies below a span decides whether it counts, and that need not be of the thread.
const selectSpanTraces = `SELECT ${columns} FROM ${callsWhere(`id IN (
    SELECT id FROM ${starts} AND trace_id IN (
      SELECT trace_id FROM ${starts} AND thread_id IN {thread_ids:Array(String)} AND is_span = 1))`)}
WHERE started_at IS NOT NULL ${byTrace}`

const selectTrace = `SELECT ${columns} FROM ${callsWhere(`id IN (SELECT id FROM ${starts} AND trace_id = {trace_id:String})`)}
WHERE trace_id = {trace_id:String} AND started_at IS NOT NULL ${byTrace}`

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
  const params = { project_id: projectId, thread_ids: [...sums.keys()] }
  const add = async (counted: readonly { call: Call; threadId: string }[]) => {
    const wanted = counted.filter(({ threadId }) => sums.has(threadId))
    await prices.learn(
      wanted.flatMap(({ call }) => [...call.usage.keys()]),
      options,
    )
    for (const { call, threadId } of wanted) {
      for (const [model, usage] of call.usage) {
        sums.get(threadId)?.add(model, usage, prices.priceOf(model, call.started_at, call.provider || undefined))
      }
    }
  }
  for await (const turns of traces(store, selectTurns, params, options)) {
    const hasNested = new Set(turns.map((turn) => turn.thread_id)).size < turns.length
    const trace = hasNested && turns[0] ? await traceOf(store, projectId, turns[0].trace_id, options) : []
    await add(countedTurns(turns, trace).map((call) => ({ call, threadId: call.thread_id })))
  }
  for await (const trace of traces(store, selectSpanTraces, params, options)) await add(countedSpans(trace))
  const answers = new Map([...sums].map(([threadId, sum]) => [threadId, sum.answer(threadId)]))
  return threadIds.flatMap((threadId) => answers.get(threadId) ?? [])
}

async function traceOf(store: Store, projectId: string, traceId: string, options: QueryOptions): Promise<Call[]> {
  return (await store.query(selectTrace, { project_id: projectId, trace_id: traceId }, Row, options)).map(callOfRow)
}

/** The calls of a statement in the order of traces, trace by trace. */
async function* traces(
  store: Store,
  sql: string,
  params: { project_id: string; thread_ids: readonly string[] },
  options: QueryOptions,
): AsyncGenerator<Call[]> {
  let trace: Call[] = []
  for await (const rows of store.stream(sql, params, Row, options)) {
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
  return { ...row, isSpan: isSpan === 1, usage: readUsage(usage ? JSON.parse(usage) : undefined) }
}
