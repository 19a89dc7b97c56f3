import * as z from 'zod/mini'
import { compareText } from '../../contract/compare-text'
import type { TimeSlices } from '../lib/time-slices'
import { flag, textOrNull } from '../store/row-types'
import { type Sql, sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'

export const StoredTraceCall = z.object({
  trace_id: z.string(),
  id: z.string(),
  parent_id: textOrNull,
  thread_id: textOrNull,
  turn_id: textOrNull,
  /** The engine's text, which sorts as the times do. Null where no part has a start. */
  started_at: z.nullable(z.string()),
  is_span: flag,
  is_conversation: flag,
  has_failed: flag,
  is_deleted: flag,
})
export type StoredTraceCall = z.infer<typeof StoredTraceCall>

/** A call of a trace, without payloads. Parts of a call may name different traces: then it is in each of them. */
export type TraceCall = StoredTraceCall & { started_at: string }

export type Traces = { projectId: string; traceIds: readonly string[]; slices: TimeSlices }
export type CallsByTrace = ReadonlyMap<string, TraceCall[]>

/** The calls of these traces, by trace: all that have started and are not deleted, in no order. */
export async function readTraceCalls(store: Store, traces: Traces, options: QueryOptions): Promise<CallsByTrace> {
  const { projectId, traceIds } = traces
  if (traceIds.length === 0) return toCallsByTrace(traceIds)
  const otherParts = await readOtherParts(store, traces, options)
  const callsByTrace = toCallsByTrace(traceIds)
  const rows = store.stream(selectMerged(isOfTraces(projectId, traceIds)), StoredTraceCall, options)
  for await (const some of rows) await addShown(callsByTrace, some, otherParts, traces.slices)
  return callsByTrace
}

export function isOfTraces(projectId: string, traceIds: readonly string[]): Sql {
  return sql`project_id = ${projectId} AND trace_id IN ${traceIds}`
}

/** What parts that name no trace say of the calls of these traces, by id. Such parts are few: failed ends and deletions. */
async function readOtherParts(
  store: Store,
  { projectId, traceIds }: Traces,
  options: QueryOptions,
): Promise<ReadonlyMap<string, StoredTraceCall>> {
  const otherParts = new Map<string, StoredTraceCall>()
  const ofTraces = isOfTraces(projectId, traceIds)
  const ofOthers = sql`project_id = ${projectId} AND trace_id = '' AND id IN (SELECT id FROM trace_calls WHERE ${ofTraces})`
  const others = sql`(SELECT * FROM trace_calls WHERE ${ofOthers} ${settingsForManyIds}) AS trace_calls`
  for await (const rows of store.stream(selectMergedFrom(others), StoredTraceCall, { ...options, hasSlowStart: true })) {
    for (const row of rows) otherParts.set(row.id, row)
  }
  return otherParts
}

/** To look up 100,000 ids in the index takes longer than to go through the parts. */
export const settingsForManyIds = sql`SETTINGS use_index_for_in_with_subqueries_max_values = 10000`

function toCallsByTrace(traceIds: readonly string[]): Map<string, TraceCall[]> {
  return new Map(traceIds.map((traceId) => [traceId, []]))
}

/** Adds those of the rows that are shown. */
async function addShown(
  callsByTrace: ReadonlyMap<string, TraceCall[]>,
  rows: readonly StoredTraceCall[],
  otherParts: ReadonlyMap<string, StoredTraceCall>,
  slices: TimeSlices,
): Promise<void> {
  for (const row of rows) {
    if (slices.isOver) await slices.next()
    const others = otherParts.get(row.id)
    const call = others ? mergeParts(row, others) : row
    // Rows are not copied: that of 30,000 calls takes as long as reading them.
    if (isShown(call)) callsByTrace.get(call.trace_id)?.push(call)
  }
}

export function isShown(call: StoredTraceCall): call is TraceCall {
  return !call.is_deleted && call.started_at !== null
}

function selectMerged(condition: Sql): Sql {
  return selectMergedFrom(sql`trace_calls WHERE ${condition}`)
}

/** `rows` is what follows FROM: those of `trace_calls`, by this name. */
function selectMergedFrom(rows: Sql): Sql {
  return sql`SELECT trace_id, id, max(parent_id) AS parent_id, max(thread_id) AS thread_id, max(turn_id) AS turn_id,
  min(trace_calls.started_at) AS started_at, max(is_span) AS is_span, max(is_conversation) AS is_conversation,
  max(has_failed) AS has_failed, max(is_deleted) AS is_deleted
FROM ${rows} GROUP BY trace_id, id`
}

/** As the engine merges parts: the greatest text, the first start. */
export function mergeParts(own: StoredTraceCall, others: StoredTraceCall): StoredTraceCall {
  return {
    trace_id: own.trace_id,
    id: own.id,
    parent_id: greatest(own.parent_id, others.parent_id),
    thread_id: greatest(own.thread_id, others.thread_id),
    turn_id: greatest(own.turn_id, others.turn_id),
    started_at: [own.started_at, others.started_at].filter((start) => start !== null).toSorted()[0] ?? null,
    is_span: own.is_span || others.is_span,
    is_conversation: own.is_conversation || others.is_conversation,
    has_failed: own.has_failed || others.has_failed,
    is_deleted: own.is_deleted || others.is_deleted,
  }
}

function greatest(left: string | null, right: string | null): string | null {
  if (left === null || right === null) return left ?? right
  return compareText(left, right) > 0 ? left : right
}
