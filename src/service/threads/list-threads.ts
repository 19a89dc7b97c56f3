import * as z from 'zod/mini'
import type { streamThreads, Thread, threadSortFields } from '../../contract/threads'
import { toEngineTime, fromEngineTime } from '../store/engine-time'
import { allRows } from '../store/limit-offset'
import { orderBy } from '../store/order-by'
import { renderSql, type Sql, sql } from '../store/sql'
import type { QueryParams, Store } from '../store/store'
import { threadAggregates } from '../derive/thread-aggregates'

type Input = z.output<typeof streamThreads.request>
type SortField = (typeof threadSortFields)[number]

const columns = `thread_id, turn_count, start_time, last_updated, first_turn_id, last_turn_id,
  p50_turn_duration_ms, p99_turn_duration_ms`

const fromSummary = `SELECT ${columns} FROM threads FINAL WHERE project_id = {project_id:String} AND turn_count > 0`

// The bounds hold for each turn's start before anything is summed up, so a window is answered from the turns: those of
// a time lie together in one table, those of a thread in the other.
const fromTurnsByStart = `SELECT thread_id, ${renderSql(threadAggregates).text} FROM turns_by_start FINAL
WHERE project_id = {project_id:String} AND is_retracted = 0`
const fromTurns = `SELECT thread_id, ${renderSql(threadAggregates).text} FROM turns FINAL
WHERE project_id = {project_id:String} AND is_retracted = 0`
const startedAfter = "AND started_at > {after:DateTime64(6, 'UTC')}"
const startedBefore = "AND started_at < {before:DateTime64(6, 'UTC')}"

const ofThese = 'AND thread_id IN {thread_ids:Array(String)}'
const page = 'LIMIT {limit:UInt64} OFFSET {offset:UInt64}'

const columnByField: Record<SortField, Sql> = {
  thread_id: sql`thread_id`,
  turn_count: sql`turn_count`,
  start_time: sql`start_time`,
  last_updated: sql`last_updated`,
  p50_turn_duration_ms: sql`p50_turn_duration_ms`,
  p99_turn_duration_ms: sql`p99_turn_duration_ms`,
}
const latestFirst = [{ field: 'last_updated', direction: 'desc' }] as const

const ThreadRow = z.object({
  thread_id: z.string(),
  turn_count: z.number(),
  start_time: z.string(),
  last_updated: z.string(),
  first_turn_id: z.string(),
  last_turn_id: z.nullable(z.string()),
  p50_turn_duration_ms: z.nullable(z.number()),
  p99_turn_duration_ms: z.nullable(z.number()),
})

/** The threads of a project in batches, as asked for. Call `ThreadSummary.flush` first. */
export async function* listThreads(store: Store, input: Input, signal?: AbortSignal): AsyncGenerator<Thread[]> {
  if (input.limit === 0) return
  const { after_datetime: after, before_datetime: before, thread_ids: threadIds = [] } = input.filter ?? {}
  const isWindow = after !== undefined || before !== undefined
  const isOfThese = threadIds.length > 0
  const parts = [
    isWindow ? (isOfThese ? fromTurns : fromTurnsByStart) : fromSummary,
    after === undefined ? '' : startedAfter,
    before === undefined ? '' : startedBefore,
    isOfThese ? ofThese : '',
    isWindow ? 'GROUP BY thread_id' : '',
    renderSql(orderBy(input.sort_by?.length ? input.sort_by : latestFirst, columnByField, sql`thread_id ASC`)).text,
    page,
  ]
  const params: QueryParams = {
    project_id: input.project_id,
    limit: input.limit ?? allRows,
    offset: input.offset ?? 0,
    ...(after !== undefined && { after: toEngineTime(after) }),
    ...(before !== undefined && { before: toEngineTime(before) }),
    ...(isOfThese && { thread_ids: threadIds }),
  }
  for await (const rows of store.stream(parts.join('\n'), params, ThreadRow, { signal })) yield rows.map(threadOfRow)
}

function threadOfRow(row: z.infer<typeof ThreadRow>): Thread {
  return {
    thread_id: row.thread_id,
    turn_count: row.turn_count,
    start_time: fromEngineTime(row.start_time),
    last_updated: fromEngineTime(row.last_updated),
    first_turn_id: row.first_turn_id,
    last_turn_id: row.last_turn_id,
    p50_turn_duration_ms: row.p50_turn_duration_ms,
    p99_turn_duration_ms: row.p99_turn_duration_ms,
  }
}
