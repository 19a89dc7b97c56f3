import * as z from 'zod/mini'
import { callsWhere, providerSql, responseIdSql, spanLibrarySql, traceNameSql, usageSenderSql } from '../store/merged-calls'
import { engineTime, flag, nullableEngineTime, textOrNull } from '../store/row-types'
import { splitIds } from '../store/split-ids'
import { type Sql, sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { parseUsage } from '../usage/usage'
import { readUsageSender } from '../usage/usage-sender'

const IdRow = z.object({ id: z.string() })

const StoredCall = z.object({
  id: z.string(),
  parent_id: textOrNull,
  thread_id: textOrNull,
  turn_id: textOrNull,
  op_name: z.string(),
  name: z.string(),
  is_span: flag,
  started_at: engineTime,
  ended_at: nullableEngineTime,
  start_us: z.string(),
  end_us: z.nullable(z.string()),
  has_failed: flag,
  kinds: z.array(z.string()),
  usage: z.string(),
  usage_sender: z.array(z.string()),
  provider: textOrNull,
  response_id: textOrNull,
  library: textOrNull,
})

const TraceCall = z.pipe(
  StoredCall,
  z.transform(({ usage, usage_sender: sender, start_us: start, end_us: end, has_failed: hasFailed, ...call }) => ({
    ...call,
    startUs: Number(start),
    endUs: end === null ? null : Number(end),
    hasFailed,
    // Whose call it is makes no difference to what it spent.
    user_id: null,
    usage: parseUsage(usage ? JSON.parse(usage) : undefined, readUsageSender(call.is_span, sender)),
  })),
)
/** A call with all that its place in the tree and its costs depend on. */
export type TraceCall = z.infer<typeof TraceCall>

/** The trace of a call; undefined where the project has no such call. */
export async function findTraceId(store: Store, projectId: string, callId: string, options: QueryOptions) {
  const found = callsWhere(projectId, sql`id = ${callId}`)
  const [row] = await store.query(
    sql`SELECT trace_id FROM ${found} WHERE started_at IS NOT NULL`,
    z.object({ trace_id: z.string() }),
    options,
  )
  return row?.trace_id
}

/** All calls of a trace, in no order. A trace may have 100,000: their ids come first, so no statement is large. */
export async function readTrace(store: Store, projectId: string, traceId: string, options: QueryOptions): Promise<TraceCall[]> {
  const ids: string[] = []
  const selectIds = sql`SELECT id FROM trace_calls WHERE project_id = ${projectId} AND trace_id = ${traceId} GROUP BY id`
  for await (const rows of store.stream(selectIds, IdRow, options)) for (const { id } of rows) ids.push(id)
  const calls: TraceCall[] = []
  for (const some of splitIds(ids)) {
    const statement = selectCalls(projectId, traceId, some)
    for await (const rows of store.stream(statement, TraceCall, options)) for (const call of rows) calls.push(call)
  }
  return calls
}

/** Parts of a call may name different traces; `trace_calls` has all of them. */
function selectCalls(projectId: string, traceId: string, ids: readonly string[]): Sql {
  return sql`SELECT id, parent_id, thread_id, turn_id, op_name, ${traceNameSql} AS name, is_span, started_at, ended_at,
  toUnixTimestamp64Micro(assumeNotNull(started_at)) AS start_us,
  if(ended_at IS NULL, NULL, toUnixTimestamp64Micro(assumeNotNull(ended_at))) AS end_us, exception IS NOT NULL AS has_failed,
  [JSONExtractString(attributes, 'kind'), JSONExtractString(attributes, 'weave', 'kind'),
    JSONExtractString(attributes, 'operation')] AS kinds,
  JSONExtractRaw(summary, 'usage') AS usage, ${usageSenderSql} AS usage_sender, ${providerSql} AS provider,
  ${responseIdSql} AS response_id, ${spanLibrarySql} AS library
FROM ${callsWhere(projectId, sql`id IN ${ids}`)}
WHERE started_at IS NOT NULL AND trace_id = ${traceId}`
}
