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

/**
 * The turn of a call depends on its whole trace, and traces of more calls together than this are not read. Parts that the engine
 * has not merged yet count as calls.
 */
const defaultMaxTraceCalls = 100_000

const CallRow = z.object({ id: z.string(), condition_count: count, count })

/** The calls for which a search finds the thread. Flush the derivers of spends and words first. */
export async function findMatchingCalls(
  store: Store,
  { project_id, thread_id, filter }: Request,
  reader: QueryOptions,
  maxTraceCalls = defaultMaxTraceCalls,
): Promise<MatchingCalls> {
  const { ofCalls } = await findConditions(store, { project_id, filter: { ...filter, thread_ids: [thread_id] } }, reader)
  const wanted = ofCalls.filter(({ isWanted }) => isWanted)
  const filters = wanted.length
  if (filters === 0) return { calls: [], count: 0, filters, filters_met: 0 }
  // A call that counts has one row in each table.
  const meetings = wanted.map(({ table, isSuch }) => sql`SELECT id, started_at ${fromFewRows(table, isSuch)}`)
  const rows = await store.query(
    sql`SELECT id, condition_count, count() OVER (PARTITION BY condition_count) AS count
FROM (SELECT id, min(started_at) AS started_at, count() AS condition_count FROM (${joinSql(meetings, ' UNION ALL ')}) GROUP BY id)
ORDER BY condition_count DESC, started_at, id LIMIT ${uint64(maxMatchingCalls)}`,
    CallRow,
    { ...reader, lane: 'scan' },
  )
  const [first] = rows
  if (!first) return { calls: [], count: 0, filters, filters_met: 0 }
  const { condition_count: filtersMet } = first
  const best = rows.filter(({ condition_count: met }) => met === filtersMet).map(({ id }) => id)
  const calls = await placeInTurns(store, { projectId: project_id, ids: best, maxTraceCalls }, reader)
  return { calls, count: first.count, filters, filters_met: filtersMet }
}

const TraceRow = z.object({ id: z.string(), trace_id: z.string() })
const SizeRow = z.object({ trace_id: z.string(), count })

type Found = { projectId: string; ids: readonly string[]; maxTraceCalls: number }

/** The calls, each with the turn in whose tree it is: as many of the first as have small enough traces. */
async function placeInTurns(store: Store, { projectId, ids, maxTraceCalls }: Found, options: QueryOptions) {
  const ofCalls = sql`SELECT id, trace_id FROM ${callsWhere(projectId, sql`id IN ${ids}`)}`
  const traceByCall = new Map((await store.query(ofCalls, TraceRow, options)).map(({ id, trace_id: traceId }) => [id, traceId]))
  const sizes = await store.query(
    sql`SELECT trace_id, count() AS count FROM trace_calls
WHERE project_id = ${projectId} AND trace_id IN ${[...new Set(traceByCall.values())]} GROUP BY trace_id`,
    SizeRow,
    options,
  )
  const sizeByTrace = new Map(sizes.map(({ trace_id: traceId, count: size }) => [traceId, size]))
  const small = takeSmallTraces(ids, traceByCall, sizeByTrace, maxTraceCalls)
  const slices = new TimeSlices()
  const traces = await readTraceCalls(store, { projectId, traceIds: [...small.traceIds], slices }, options)
  const placesByTrace = new Map<string, Awaited<ReturnType<typeof placeCalls>>>()
  for (const [traceId, trace] of traces) {
    const calls = trace.map((call) => Object.assign(call, { user_id: null }))
    placesByTrace.set(traceId, await placeCalls(calls, slices))
  }
  return small.ids.map((id) => ({ id, turn_id: placesByTrace.get(traceByCall.get(id) ?? '')?.get(id)?.turnId ?? null }))
}

/** The first calls whose traces have at most `maxTraceCalls` calls together; those of the first trace in any case. */
function takeSmallTraces(
  ids: readonly string[],
  traceByCall: ReadonlyMap<string, string>,
  sizes: ReadonlyMap<string, number>,
  maxTraceCalls: number,
): { ids: readonly string[]; traceIds: ReadonlySet<string> } {
  const traceIds = new Set<string>()
  let size = 0
  for (const [index, id] of ids.entries()) {
    const traceId = traceByCall.get(id)
    // The call was deleted a moment ago.
    if (traceId === undefined || traceIds.has(traceId)) continue
    size += sizes.get(traceId) ?? 0
    if (size > maxTraceCalls && traceIds.size > 0) return { ids: ids.slice(0, index), traceIds }
    traceIds.add(traceId)
  }
  return { ids, traceIds }
}
