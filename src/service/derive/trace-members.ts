import * as z from 'zod/mini'
import { TimeSlices } from '../lib/time-slices'
import { splitIds } from '../store/split-ids'
import { isSql, type Sql, sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'

const TraceRow = z.object({ trace_id: z.string() })

/** The traces that any part of these calls named. */
export async function findTraces(store: Store, projectId: string, callIds: readonly string[], options: QueryOptions) {
  const traceIds = new Set<string>()
  for (const ids of splitIds(callIds)) {
    const statement = sql`SELECT DISTINCT arrayJoin(all_trace_ids) AS trace_id FROM calls
WHERE project_id = ${projectId} AND id IN ${ids}`
    for (const row of await store.query(statement, TraceRow, options)) traceIds.add(row.trace_id)
  }
  return [...traceIds]
}

/** The same for the calls that a SELECT finds, by one statement: each statement looks through much of the project. */
export async function findTracesOf(store: Store, projectId: string, callIds: Sql, options: QueryOptions): Promise<string[]> {
  const rows = await store.query(tracesOfCalls(projectId, callIds), TraceRow, options)
  return rows.map((row) => row.trace_id)
}

/** The same as a SELECT, for the calls that another SELECT finds. */
export function tracesOfCalls(projectId: string, callIds: Sql): Sql {
  return sql`SELECT DISTINCT arrayJoin(all_trace_ids) AS trace_id FROM calls
WHERE project_id = ${projectId} AND id IN (${callIds})`
}

/** A trace and all calls that ever named it. */
const TraceMembers = z.object({ trace_id: z.string(), ids: z.array(z.string()) })
export type TraceMembers = z.infer<typeof TraceMembers>

/** Traces by their ids, or all that a SELECT of ids finds. */
export type TraceIds = readonly string[] | Sql

/** The ids of about so many calls are in memory at once. */
const maxHeldCalls = 100_000
/** A trace of so many calls takes long to derive. */
const longTraceCalls = 2000

/** Traces that are derived together. `isMember` is a condition on the id of a call: it is in one of them. */
export type TraceGroup = { traces: readonly TraceMembers[]; isMember: Sql }

function isOfTraces(projectId: string, traceIds: TraceIds): Sql {
  const isIn = isSql(traceIds) ? sql`IN (${traceIds})` : sql`IN ${traceIds}`
  return sql`project_id = ${projectId} AND trace_id ${isIn}`
}

export function isMemberOf(projectId: string, traceIds: TraceIds): Sql {
  return sql`id IN (SELECT id FROM trace_calls WHERE ${isOfTraces(projectId, traceIds)})`
}

/** The first traces with their calls, until these are very many, and the ids of the other traces. */
async function readMembers(store: Store, projectId: string, traceIds: TraceIds, options: QueryOptions) {
  const statement = sql`SELECT trace_id, groupUniqArray(id) AS ids FROM trace_calls
WHERE ${isOfTraces(projectId, traceIds)} GROUP BY trace_id`
  const traces: TraceMembers[] = []
  const otherIds: string[] = []
  let callCount = 0
  // Not while the group is derived: a statement whose reader waits keeps its session from others.
  for await (const rows of store.stream(statement, TraceMembers, { ...options, hasSlowStart: true })) {
    for (const row of rows) {
      if (callCount >= maxHeldCalls) otherIds.push(row.trace_id)
      else traces.push(row)
      callCount += row.ids.length
    }
  }
  return { traces, otherIds, callCount }
}

/** The traces with their calls, together until they have so many. A trace is never divided. */
async function* readGroups(
  store: Store,
  projectId: string,
  traceIds: readonly string[],
  callsPerGroup: number,
  options: QueryOptions,
): AsyncGenerator<TraceGroup> {
  const toGroup = (traces: readonly TraceMembers[]): TraceGroup => {
    const ids = traces.map((trace) => trace.trace_id)
    return { traces, isMember: isMemberOf(projectId, ids) }
  }
  for (const some of splitIds(traceIds)) {
    for (let nextIds = some; nextIds.length > 0;) {
      const { traces, otherIds } = await readMembers(store, projectId, nextIds, options)
      let group: TraceMembers[] = []
      let groupSize = 0
      for (const trace of traces) {
        group.push(trace)
        groupSize += trace.ids.length
        if (groupSize < callsPerGroup) continue
        yield toGroup(group)
        group = []
        groupSize = 0
      }
      if (group.length > 0) yield toGroup(group)
      nextIds = otherIds
    }
  }
}

type DeriveGroup = (
  store: Store,
  projectId: string,
  group: TraceGroup,
  options: QueryOptions,
  slices: TimeSlices,
) => Promise<void>

/**
 * Makes a `TraceDerivation.derive`. `deriveGroup` gets the traces in groups of about `callsPerGroup` calls. Those that a SELECT
 * finds are one group, unless they have very many calls.
 */
export function deriveInGroups(callsPerGroup: number, deriveGroup: DeriveGroup) {
  return async (store: Store, projectId: string, traceIds: TraceIds, options: QueryOptions): Promise<readonly string[]> => {
    const slices = new TimeSlices()
    let listedIds = traceIds
    if (isSql(listedIds)) {
      const { traces, otherIds, callCount } = await readMembers(store, projectId, listedIds, options)
      if (callCount < maxHeldCalls) {
        const group = { traces, isMember: isMemberOf(projectId, listedIds) }
        await deriveGroup(store, projectId, group, options, slices)
        return toLongIds(traces)
      }
      listedIds = [...traces.map((trace) => trace.trace_id), ...otherIds]
    }
    const longIds: string[] = []
    let callCount = 0
    for await (const group of readGroups(store, projectId, listedIds, callsPerGroup, options)) {
      await deriveGroup(store, projectId, group, options, slices)
      for (const id of toLongIds(group.traces)) longIds.push(id)
      for (const trace of group.traces) callCount += trace.ids.length
    }
    return callCount < maxHeldCalls ? longIds : listedIds
  }
}

function toLongIds(traces: readonly TraceMembers[]): string[] {
  return traces.flatMap(({ trace_id: id, ids }) => (ids.length >= longTraceCalls ? id : []))
}
