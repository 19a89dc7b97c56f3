import * as z from 'zod/mini'
import { deriveInGroups, isMemberOf, type TraceGroup } from '../derive/trace-members'
import { type RowLimits, WrittenRows } from '../derive/written-rows'
import { toCompoundKey } from '../lib/compound-key'
import { findParents } from '../lib/find-parents'
import type { TimeSlices } from '../lib/time-slices'
import { toEngineTime } from '../store/engine-time'
import { endUserSql, providerSql, responseIdSql, spanLibrarySql, usageSenderSql } from '../store/merged-calls'
import { maxIdsPerStatement } from '../store/split-ids'
import { count, flag, nullableEngineTime, textOrNull } from '../store/row-types'
import { type Sql, sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { placeCalls } from '../traces/place-calls'
import { StoredCall, withParsedUsage } from '../traces/stored-call'
import { findOwnUsage } from '../usage/own-usage'
import { type SpentRow, toUsageFields } from './spent-row'

// What a call spent depends on its whole trace, so the unit of the derivation is a trace: all of its calls are read, and a row
// is written for each call that ever had a usage, at each start that it ever had.
//
// Of two derivations of a call the one that knew more parts counts: its version is the number of the call's own parts, then
// that of all calls that ever named its trace. Both only grow, and no clock is asked, so that several processes can derive
// at once: the last part of a trace is followed by a derivation that knows all parts. Since all that makes the key of a row
// only grows too, that derivation writes every row that any before it has written.

/** Traces are derived together until they have so many calls. */
const callsPerGroup = 10_000
const partsFactor = 2n ** 40n

/** Makes a function that writes what the calls of these traces spent. It remembers what it wrote for long traces. */
export function createSpendDerivation(limits?: RowLimits) {
  const written = new WrittenRows<SpentRow>((row) => ({ ...row, version: '' }), limits)
  return deriveInGroups(callsPerGroup, async (...args) => deriveGroup(written, ...args))
}

const Member = z.pipe(
  z.extend(StoredCall, {
    turn_id: textOrNull,
    is_conversation: flag,
    started_at: nullableEngineTime,
    starts: z.array(z.string()),
    is_deleted: flag,
    has_usage: flag,
    part_count: count,
  }),
  z.transform((row) => withParsedUsage(row)),
)
type Member = z.infer<typeof Member>

async function deriveGroup(
  written: WrittenRows<SpentRow>,
  store: Store,
  projectId: string,
  group: TraceGroup,
  options: QueryOptions,
  slices: TimeSlices,
): Promise<void> {
  const { traces, isMember } = await keepTracesWithUsage(store, projectId, group, options)
  if (traces.length === 0) return
  const byId = new Map<string, Member>()
  const statement = selectMembers(projectId, isMember)
  for await (const rows of store.stream(statement, Member, { ...options, hasSlowStart: true })) {
    for (const row of rows) byId.set(row.id, row)
  }
  const changed = written.begin()
  for (const { trace_id: traceId, ids: memberIds } of traces) {
    const members = memberIds.flatMap((id) => byId.get(id) ?? [])
    await changed.add(toCompoundKey(projectId, traceId), await toRows(projectId, traceId, members, slices), slices)
  }
  for (let start = 0; start < changed.rows.length; start += callsPerGroup) {
    await store.insert('spent_calls', changed.rows.slice(start, start + callsPerGroup), options)
  }
  if (!store.isShared) changed.keep()
}

const IdRow = z.object({ id: z.string() })

/** Many traces have no usage at all. To find that out takes one narrow column. */
async function keepTracesWithUsage(
  store: Store,
  projectId: string,
  { traces, isMember }: TraceGroup,
  options: QueryOptions,
): Promise<TraceGroup> {
  const withUsage = new Set<string>()
  const statement = sql`SELECT DISTINCT id FROM calls WHERE project_id = ${projectId} AND has_usage = 1 AND ${isMember}`
  for await (const rows of store.stream(statement, IdRow, { ...options, hasSlowStart: true })) {
    for (const { id } of rows) withUsage.add(id)
  }
  const kept = traces.filter((trace) => trace.ids.some((id) => withUsage.has(id)))
  if (kept.length > Math.min(traces.length / 2, maxIdsPerStatement)) return { traces: kept, isMember }
  const keptIds = kept.map((trace) => trace.trace_id)
  return { traces: kept, isMember: isMemberOf(projectId, keptIds) }
}

/** The rows of the calls that are in the trace now. Members that have left it have theirs from the trace that they are in. */
async function toRows(projectId: string, traceId: string, members: readonly Member[], slices: TimeSlices): Promise<SpentRow[]> {
  const partsOfTrace = members.reduce((sum, member) => sum + BigInt(member.part_count), 0n)
  const trace = members.filter((member) => member.trace_id === traceId)
  const shown = trace.flatMap((call) => (isShown(call) ? [call] : []))
  const parentById = await findParents(shown, slices)
  const ownById = new Map((await findOwnUsage(shown, slices, parentById)).map((own) => [own.call.id, own]))
  const placeById = await placeCalls(shown, slices, parentById)
  const rows: SpentRow[] = []
  for (const call of trace) {
    if (slices.isOver) await slices.next()
    if (!call.has_usage) continue
    const own = ownById.get(call.id)
    const turnStartedAt = placeById.get(call.id)?.turnStartedAt
    const first = call.started_at === null ? '' : toEngineTime(call.started_at)
    for (const start of call.starts) {
      const usage = own && start === first ? own.usage : new Map<string, never>()
      const row: SpentRow = {
        project_id: projectId,
        started_at: start,
        id: call.id,
        is_spent: usage.size > 0 ? 1 : 0,
        op_name: call.op_name,
        user_id: own?.userId ?? '',
        thread_id: own?.threadId ?? '',
        turn_started_at: turnStartedAt === undefined ? start : toEngineTime(turnStartedAt),
        provider: call.provider ?? '',
        ...toUsageFields(usage),
        version: String(BigInt(call.part_count) * partsFactor + partsOfTrace),
      }
      rows.push(row)
    }
  }
  return rows
}

function isShown(call: Member): call is Member & { started_at: string } {
  return call.started_at !== null && !call.is_deleted
}

function selectMembers(projectId: string, isMember: Sql): Sql {
  return sql`SELECT trace_id, id, parent_id, thread_id, turn_id, ${endUserSql} AS user_id, op_name, is_span,
  is_conversation, started_at, starts,
  is_deleted, has_usage, part_count, if(has_usage, JSONExtractRaw(summary, 'usage'), '') AS usage,
  if(has_usage, ${usageSenderSql}, []) AS usage_sender, if(has_usage, ${providerSql}, '') AS provider,
  if(has_usage, ${responseIdSql}, '') AS response_id, if(has_usage, ${spanLibrarySql}, '') AS library
FROM (
  SELECT id, max(calls.op_name) AS op_name, max(calls.trace_id) AS trace_id, max(calls.parent_id) AS parent_id,
    max(calls.thread_id) AS thread_id, max(calls.turn_id) AS turn_id, max(calls.is_span) AS is_span,
    max(calls.is_conversation) AS is_conversation, min(calls.started_at) AS started_at,
    max(calls.attributes) AS attributes, max(calls.summary) AS summary, max(calls.deleted_at) IS NOT NULL AS is_deleted,
    groupUniqArrayArray(calls.all_starts) AS starts, max(calls.has_usage) AS has_usage, sum(calls.part_count) AS part_count
  FROM calls
  WHERE calls.project_id = ${projectId} AND ${isMember}
  GROUP BY id
)`
}
