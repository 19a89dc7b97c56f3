import * as z from 'zod/mini'
import { maxItemsPerQueue } from '../../contract/limits'
import { formatLimit } from '../../contract/schema'
import { HttpError } from '../http/http-error'
import type { RequestReader } from '../http/route'
import { microsecondsToEngineTime, toEngineTime } from '../store/engine-time'
import { callsWhere } from '../store/merged-calls'
import { count, nullableEngineTime } from '../store/row-types'
import { splitIds } from '../store/split-ids'
import { sql } from '../store/sql'
import type { Store } from '../store/store'
import { toItemId } from './item-store'

const StoredItems = z.object({ call_ids: z.array(z.string()), item_count: count, newest_us: count })

const CallRow = z.object({
  id: z.string(),
  op_name: z.string(),
  trace_id: z.string(),
  started_at: nullableEngineTime,
  ended_at: nullableEngineTime,
})

type NewItems = {
  projectId: string
  queueId: string
  callIds: readonly string[]
  displayFields: readonly string[]
  addedBy: string
}

/** The fields to display may take 20 KB of each row. */
const rowsPerInsert = 1000

/**
 * Adds calls to a queue, and tells what became of each. Of requests for one queue within a process one runs at a time; copies
 * of the service that add a call at once make one item of it, and may both count it.
 */
export async function addItems(store: Store, items: NewItems, nowMs: number, reader: RequestReader) {
  const { projectId, queueId, callIds } = items
  const named = [...new Set(callIds)]
  const stored = await readStored(store, items, reader)
  const missing = named.filter((id) => !stored.callIds.has(id))
  const callById = await readCalls(store, projectId, missing, reader)
  const found = missing.flatMap((id) => callById.get(id) ?? [])
  if (stored.itemCount + found.length > maxItemsPerQueue) throw tooManyItems(stored.itemCount)
  // A microsecond apart, so that the queue keeps their order, and after all others, also when the clock was set back.
  const firstUs = Math.max(nowMs * 1000, stored.newestUs + 1)
  const rows = found.map((call, index) => ({
    project_id: projectId,
    queue_id: queueId,
    id: toItemId(queueId, call.id),
    call_id: call.id,
    call_started_at: toEngineTime(call.started_at),
    call_ended_at: call.ended_at && toEngineTime(call.ended_at),
    call_op_name: call.op_name,
    call_trace_id: call.trace_id,
    display_fields: items.displayFields,
    added_by: items.addedBy,
    created_at: microsecondsToEngineTime(firstUs + index),
    version: 2 ** 52 - (firstUs + index),
  }))
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    await store.insert('queue_items', rows.slice(start, start + rowsPerInsert), { share: reader.share })
  }
  return {
    added_count: found.length,
    duplicates: callIds.length - missing.length,
    unknown_call_ids: missing.filter((id) => !callById.has(id)),
  }
}

async function readStored(store: Store, { projectId, queueId, callIds }: NewItems, reader: RequestReader) {
  const stored = { callIds: new Set<string>(), itemCount: 0, newestUs: 0 }
  for (const ids of splitIds([...new Set(callIds)].map((id) => toItemId(queueId, id)))) {
    const statement = sql`SELECT groupUniqArrayIf(call_id, id IN ${ids}) AS call_ids, uniqExact(id) AS item_count,
  toUnixTimestamp64Micro(max(created_at)) AS newest_us
FROM queue_items WHERE project_id = ${projectId} AND queue_id = ${queueId}`
    const [row] = await store.query(statement, StoredItems, { ...reader, lane: 'write' })
    for (const id of row?.call_ids ?? []) stored.callIds.add(id)
    stored.itemCount = row?.item_count ?? 0
    stored.newestUs = row?.newest_us ?? 0
  }
  return stored
}

/** A call whose start has not arrived is unknown, as everywhere. */
async function readCalls(store: Store, projectId: string, ids: readonly string[], reader: RequestReader) {
  const callById = new Map<string, z.infer<typeof CallRow> & { started_at: string }>()
  for (const part of splitIds(ids)) {
    const statement = sql`SELECT id, op_name, trace_id, started_at, ended_at FROM ${callsWhere(projectId, sql`calls.id IN ${part}`)}`
    for (const call of await store.query(statement, CallRow, { ...reader, lane: 'write' })) {
      const { started_at: startedAt } = call
      if (startedAt !== null) callById.set(call.id, { ...call, started_at: startedAt })
    }
  }
  return callById
}

function tooManyItems(itemCount: number): HttpError {
  const msg = `A queue has at most ${formatLimit(maxItemsPerQueue)} items, and this one has ${formatLimit(itemCount)}. Make another queue for the others.`
  return new HttpError('conflict', { loc: ['body', 'call_ids'], msg, type: 'too_many_items' })
}
