import * as z from 'zod/mini'
import type { TimeSlices } from '../lib/time-slices'
import { splitIds } from '../store/split-ids'
import { type Sql, sql, uint64 } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import {
  type CallsByTrace,
  isOfTraces,
  isShown,
  mergeParts,
  settingsForManyIds,
  StoredTraceCall,
  type TraceCall,
  type Traces,
} from './read-trace-calls'

/** Traces with so many parts are read whole rather than level by level. Tests take fewer. */
const usualMaxWhole = 1000
/** Where more calls than these decide, the trace is read whole. */
const maxAround = 10_000
/** The same where more calls than these are above each other: each level takes a statement. */
const maxLevels = 24

type Around = Traces & { callIds: readonly string[]; maxWhole?: number | undefined }

const IdRow = z.object({ id: z.string() })

const selectParts = sql`SELECT trace_id, id, parent_id, thread_id, turn_id, started_at, is_span, is_conversation, has_failed, is_deleted
FROM trace_calls`

/**
 * The calls of these traces that decide about the places of the calls `callIds`: these calls, the calls above them, the turns that they
 * name, and all failed calls with the calls above those. Small traces are read whole. Undefined where too many calls decide.
 */
export async function readCallsAround(
  store: Store,
  { callIds, maxWhole = usualMaxWhole, projectId, traceIds, slices }: Around,
  options: QueryOptions,
): Promise<CallsByTrace | undefined> {
  const merged = new MergedParts(slices)
  const ofTraces = isOfTraces(projectId, traceIds)
  const read = async (rows: Sql) =>
    await store.query(sql`${selectParts} ${rows}`, StoredTraceCall, { ...options, lookup: 'narrow' })
  const readByIds = async (ids: readonly string[], someTraceIds: readonly string[]) => {
    for (const some of splitIds(ids))
      await merged.add(await read(sql`WHERE ${isOfTraces(projectId, someTraceIds)} AND id IN ${some}`))
  }

  const ofOthers = isOfTraces(projectId, [ofNoTrace])
  const parts = await read(sql`WHERE (${ofTraces}) OR (${ofOthers} AND id IN ${callIds}) LIMIT ${uint64(maxWhole + 1)}`)
  if (parts.length <= maxWhole) {
    await merged.add(parts)
    const askedIds = new Set(callIds)
    await readByIds(
      [...new Set(parts.map(({ id }) => id))].filter((id) => !askedIds.has(id)),
      [ofNoTrace],
    )
    return await merged.toCalls(traceIds)
  }

  const readFailed = async (rows: Sql) => {
    const statement = sql`SELECT DISTINCT id FROM (SELECT id FROM trace_calls WHERE ${rows}) LIMIT ${uint64(maxAround + 1)}`
    return (await store.query(statement, IdRow, options)).map(({ id }) => id)
  }
  const askedIds = new Set(callIds)
  const [failedIds, otherFailedIds] = await Promise.all([
    readFailed(sql`${ofTraces} AND has_failed = 1`),
    readFailed(
      sql`${ofOthers} AND has_failed = 1 AND id IN (SELECT id FROM trace_calls WHERE ${ofTraces}) ${settingsForManyIds}`,
    ),
    readByIds(callIds, [...traceIds, ofNoTrace]),
  ])
  let nextIds = [...failedIds, ...otherFailedIds, ...merged.idsAbove(callIds, traceIds)]
  for (let level = 0; ; level += 1) {
    const ids = [...new Set(nextIds)].filter((id) => !askedIds.has(id))
    if (ids.length === 0) return await merged.toCalls(traceIds)
    if (level > maxLevels || askedIds.size + ids.length > maxAround) return undefined
    await readByIds(ids, [...traceIds, ofNoTrace])
    for (const id of ids) askedIds.add(id)
    nextIds = merged.idsAbove(ids, traceIds)
  }
}

/** Parts that name no trace are stored under this. */
const ofNoTrace = ''

/** Calls of traces, merged from parts in any order. */
class MergedParts {
  private readonly callsByTrace = new Map<string, Map<string, StoredTraceCall>>()

  constructor(private readonly slices: TimeSlices) {}

  async add(parts: readonly StoredTraceCall[]): Promise<void> {
    for (const part of parts) {
      if (this.slices.isOver) await this.slices.next()
      const calls = this.callsByTrace.get(part.trace_id) ?? new Map<string, StoredTraceCall>()
      this.callsByTrace.set(part.trace_id, calls)
      const known = calls.get(part.id)
      calls.set(part.id, known ? mergeParts(known, part) : part)
    }
  }

  /** The parents of these calls, and the turns that they name. */
  idsAbove(ids: readonly string[], traceIds: readonly string[]): string[] {
    return traceIds.flatMap((traceId) =>
      ids.flatMap((id) => {
        const call = this.find(traceId, id)
        return [call?.parent_id, call?.turn_id].filter((above) => typeof above === 'string')
      }),
    )
  }

  async toCalls(traceIds: readonly string[]): Promise<CallsByTrace> {
    const shown = new Map<string, TraceCall[]>()
    for (const traceId of traceIds) {
      const calls: TraceCall[] = []
      for (const id of this.callsByTrace.get(traceId)?.keys() ?? []) {
        if (this.slices.isOver) await this.slices.next()
        const call = this.find(traceId, id)
        if (call) calls.push(call)
      }
      shown.set(traceId, calls)
    }
    return shown
  }

  /** Undefined for a call that is not shown. */
  private find(traceId: string, id: string): TraceCall | undefined {
    const own = this.callsByTrace.get(traceId)?.get(id)
    const others = this.callsByTrace.get(ofNoTrace)?.get(id)
    const call = own && others ? mergeParts(own, others) : own
    return call && isShown(call) ? call : undefined
  }
}
