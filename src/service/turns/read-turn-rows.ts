import * as z from 'zod/mini'
import { durationMicroseconds } from '../derive/thread-columns'
import { limitOffset } from '../store/limit-offset'
import { callsWhere, traceNameSql } from '../store/merged-calls'
import { count, engineTime, flag, nullableEngineTime } from '../store/row-types'
import { sql, uint64 } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'

/** Larger inputs are not read: to find the first words of thousands of turns must stay cheap. */
const maxInputsLength = 32_768

const TurnRow = z.object({
  id: z.string(),
  started_at: engineTime,
  ended_at: nullableEngineTime,
  /** Null while it runs. */
  duration_us: z.nullable(count),
})
export type TurnRow = z.infer<typeof TurnRow>

/** A page of the turns of a thread, by their start. They are few and narrow, so all are read at once. */
export async function readTurnRows(
  store: Store,
  { projectId, threadId, page }: { projectId: string; threadId: string; page: Parameters<typeof limitOffset>[0] },
  options: QueryOptions,
): Promise<TurnRow[]> {
  const turns: TurnRow[] = []
  const statement = sql`SELECT id, started_at, ended_at,
  if(ended_at IS NULL, NULL, ${durationMicroseconds}) AS duration_us
FROM turns FINAL
WHERE project_id = ${projectId} AND thread_id = ${threadId} AND is_retracted = 0
ORDER BY started_at, id ${limitOffset(page)}`
  for await (const rows of store.stream(statement, TurnRow, options)) for (const row of rows) turns.push(row)
  return turns
}

const TurnHead = z.object({ id: z.string(), trace_id: z.string(), name: z.string(), has_failed: flag, short_inputs: z.string() })
/** What a turn says of itself. `short_inputs` is JSON, '' where it is too large. */
export type TurnHead = z.infer<typeof TurnHead>

export async function readTurnHeads(store: Store, projectId: string, ids: readonly string[], options: QueryOptions) {
  const statement = sql`SELECT id, trace_id, ${traceNameSql} AS name, exception IS NOT NULL AS has_failed,
  if(length(inputs) > ${uint64(maxInputsLength)}, '', inputs) AS short_inputs
FROM ${callsWhere(projectId, sql`id IN ${ids}`)} WHERE started_at IS NOT NULL`
  const heads = await store.query(statement, TurnHead, options)
  return new Map(heads.map((head) => [head.id, head]))
}

const TraceSize = z.object({ trace_id: z.string(), call_count: count })

/** How many calls ever named each of these traces. */
export async function readTraceSizes(store: Store, projectId: string, traceIds: readonly string[], options: QueryOptions) {
  const statement = sql`SELECT trace_id, uniqExact(id) AS call_count FROM trace_calls
WHERE project_id = ${projectId} AND trace_id IN ${traceIds} GROUP BY trace_id`
  const sizes = await store.query(statement, TraceSize, options)
  return new Map(sizes.map(({ trace_id: id, call_count: size }) => [id, size]))
}

/** The ids of all turns of the thread: a turn that is on another page has its calls for itself, too. */
export async function readTurnIds(
  store: Store,
  { projectId, threadId }: { projectId: string; threadId: string },
  options: QueryOptions,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  const statement = sql`SELECT id FROM turns FINAL
WHERE project_id = ${projectId} AND thread_id = ${threadId} AND is_retracted = 0`
  for await (const rows of store.stream(statement, z.object({ id: z.string() }), options)) for (const { id } of rows) ids.add(id)
  return ids
}
