import * as z from 'zod/mini'
import { callsWhere, endUserSql, providerSql, responseIdSql, spanLibrarySql, usageSenderSql } from '../../store/merged-calls'
import { splitIds } from '../../store/split-ids'
import { type Sql, sql } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'
import { StoredCall, withParsedUsage } from '../../traces/stored-call'

const UsageCall = z.pipe(StoredCall, z.transform(withParsedUsage<z.infer<typeof StoredCall>>))
/** A call as far as it decides what it and others spent. */
export type UsageCall = z.infer<typeof UsageCall>

const IdRow = z.object({ id: z.string() })

/**
 * The whole traces that have calls among `callIds`, a subquery, one after the other: the other calls of a trace decide too
 * what a call spent itself.
 */
export async function* readTraces(
  store: Store,
  projectId: string,
  callIds: Sql,
  options: QueryOptions,
): AsyncGenerator<UsageCall[]> {
  let trace: UsageCall[] = []
  for await (const calls of readCalls(store, projectId, callIds, options)) {
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

/** The calls of the traces, in the order of traces. Their ids come first: nothing wide is sorted, and no statement has a slow start. */
async function* readCalls(store: Store, projectId: string, callIds: Sql, options: QueryOptions) {
  const ids: string[] = []
  const slowStart = { ...options, hasSlowStart: true }
  for await (const rows of store.stream(selectIds(projectId, callIds), IdRow, slowStart)) {
    for (const { id } of rows) ids.push(id)
  }
  for (const some of splitIds(ids)) yield* store.stream(selectCalls(projectId, some), UsageCall, options)
}

function selectIds(projectId: string, callIds: Sql): Sql {
  // Parts of a call may name different traces, and the one that counts may be in another part than the one that was found.
  const traceIds = sql`SELECT trace_id FROM calls WHERE project_id = ${projectId} AND id IN (${callIds})`
  const ids = sql`SELECT id FROM call_starts WHERE project_id = ${projectId} AND trace_id IN (${traceIds})`
  return sql`SELECT id FROM ${callsWhere(projectId, sql`id IN (${ids})`)} WHERE started_at IS NOT NULL ORDER BY trace_id, id`
}

function selectCalls(projectId: string, ids: readonly string[]): Sql {
  return sql`SELECT trace_id, id, parent_id, thread_id, ${endUserSql} AS user_id, op_name, is_span, started_at,
  JSONExtractRaw(summary, 'usage') AS usage, ${usageSenderSql} AS usage_sender, ${providerSql} AS provider,
  ${responseIdSql} AS response_id, ${spanLibrarySql} AS library
FROM ${callsWhere(projectId, sql`id IN ${ids}`)}
WHERE started_at IS NOT NULL ORDER BY trace_id, id`
}
