import * as z from 'zod/mini'
import { type MatchingCalls, maxMatchingCalls } from '../../../contract/matching-calls'
import type { FindMatchingCalls } from '../../../contract/matching-calls-requests'
import { TimeSlices } from '../../lib/time-slices'
import { callsWhere } from '../../store/merged-calls'
import { fromFewRows } from '../../store/newest-rows'
import { count } from '../../store/row-types'
import { joinSql, sql, uint64 } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'
import { placeCalls } from '../../traces/place-calls'
import { readTraceCalls } from '../../traces/read-trace-calls'
import { findConditions } from './thread-conditions'

type Request = z.output<typeof FindMatchingCalls>

const CallRow = z.object({ id: z.string(), condition_count: count, count })

/** The calls for which a search finds the thread. Flush the derivers of spends and words first. */
export async function findMatchingCalls(
  store: Store,
  { project_id, thread_id, filter }: Request,
  reader: QueryOptions,
): Promise<MatchingCalls> {
  const { ofCalls } = await findConditions(store, { project_id, filter: { ...filter, thread_ids: [thread_id] } }, reader)
  const wanted = ofCalls.filter(({ isWanted }) => isWanted)
  if (wanted.length === 0) return { calls: [], count: 0 }
  // A call that counts has one row in each table.
  const meetings = wanted.map(({ table, isSuch }) => sql`SELECT id, started_at ${fromFewRows(table, isSuch)}`)
  const rows = await store.query(
    sql`SELECT id, condition_count, count() OVER (PARTITION BY condition_count) AS count
FROM (SELECT id, min(started_at) AS started_at, count() AS condition_count FROM (${joinSql(meetings, ' UNION ALL ')}) GROUP BY id)
ORDER BY condition_count DESC, started_at, id LIMIT ${uint64(maxMatchingCalls)}`,
    CallRow,
    { ...reader, lane: 'scan', hasSlowStart: true },
  )
  const [first] = rows
  const best = rows.filter(({ condition_count: met }) => met === first?.condition_count).map(({ id }) => id)
  const turnIds = await findTurnIds(store, project_id, best, reader)
  return { calls: best.map((id) => ({ id, turn_id: turnIds.get(id) ?? null })), count: first?.count ?? 0 }
}

const TraceRow = z.object({ id: z.string(), trace_id: z.string() })

/** The turns of these calls, by call: those in whose tree a call is, which depends on the whole trace. */
async function findTurnIds(store: Store, projectId: string, ids: readonly string[], options: QueryOptions) {
  const statement = sql`SELECT id, trace_id FROM ${callsWhere(projectId, sql`id IN ${ids}`)}`
  const calls = ids.length > 0 ? await store.query(statement, TraceRow, options) : []
  const slices = new TimeSlices()
  const traceIds = [...new Set(calls.map((call) => call.trace_id))]
  const traces = await readTraceCalls(store, { projectId, traceIds, slices }, options)
  const turnIds = new Map<string, string | null>()
  for (const [traceId, trace] of traces) {
    const places = await placeCalls(
      trace.map((call) => Object.assign(call, { user_id: null })),
      slices,
    )
    for (const { id, trace_id: own } of calls) if (own === traceId) turnIds.set(id, places.get(id)?.turnId ?? null)
  }
  return turnIds
}
