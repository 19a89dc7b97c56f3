import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { compareInstants } from '../../contract/instant'
import type { itemSortFields, queryQueueItems, QueueItem } from '../../contract/queue-items'
import { maxResponseBytes, requireResponseFits } from '../http/response-size'
import { toCompoundKey } from '../lib/compound-key'
import { microsecondsToEngineTime } from '../store/engine-time'
import { isNotDeleted } from '../store/merged-calls'
import { limitOffset } from '../store/limit-offset'
import { columnsByName, orderBy } from '../store/order-by'
import { engineTime, flag } from '../store/row-types'
import { joinSql, type Sql, sql } from '../store/sql'
import type { QueryOptions, Store, WriteOptions } from '../store/store'
import { isTooLarge } from '../store/store-error'
import {
  addedItemColumns,
  AddedItemRow,
  itemColumns,
  ItemRow,
  ItemStateRow,
  type ItemTime,
  type QueueSettings,
  selectItems,
  selectItemState,
  selectOpenItems,
  toQueueItem,
} from './item-sql'
import type { StoredQueue } from './queue-store'

/** Follows from queue and call, as a UUID of version 8 (RFC 9562): a call that is added twice at once is one item. */
export function toItemId(queueId: string, callId: string): string {
  const bytes = createHash('sha256').update(toCompoundKey(queueId, callId)).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const StateRow = z.extend(ItemStateRow, { changed_at: engineTime })

/** An item of a queue; undefined where the queue has no such item, or its call was deleted. */
export async function findItem(
  store: Store,
  queue: StoredQueue,
  itemId: string,
  time: ItemTime,
  options: QueryOptions,
): Promise<ItemRow | undefined> {
  const { project_id: projectId, id: queueId } = queue
  const isItem = sql`project_id = ${projectId} AND queue_id = ${queueId} AND id = ${itemId}`
  const isCallThere = isNotDeleted(sql`call_id`, projectId, sql`SELECT call_id FROM queue_items WHERE ${isItem}`)
  // Apart from each other they take a tenth of the time of a join.
  const [[item], state] = await Promise.all([
    store.query(sql`SELECT ${addedItemColumns} FROM queue_items FINAL WHERE ${isItem} AND ${isCallThere}`, AddedItemRow, options),
    findItemState(store, queue, itemId, time, options),
  ])
  return item && withState(item, state)
}

/** The item with its state as it is now. */
export async function refreshItem(
  store: Store,
  queue: StoredQueue,
  item: ItemRow,
  time: ItemTime,
  options: QueryOptions,
): Promise<ItemRow> {
  return withState(item, await findItemState(store, queue, item.id, time, options))
}

type ItemState = z.infer<typeof StateRow>

async function findItemState(
  store: Store,
  queue: StoredQueue,
  itemId: string,
  time: ItemTime,
  options: QueryOptions,
): Promise<ItemState> {
  const [state] = await store.query(selectItemState(queue.project_id, queue, itemId, time), StateRow, options)
  if (!state) throw new Error('An aggregate without keys has one row, and the engine returned none.')
  return state
}

function withState(item: AddedItemRow, { changed_at: changedAt, ...state }: ItemState): ItemRow {
  return { ...item, ...state, updated_at: compareInstants(item.created_at, changedAt) < 0 ? changedAt : item.created_at }
}

const CandidateRow = z.object({ id: z.string(), is_taken: flag, open_count: z.number() })

/**
 * The id of the item that a person gets next, and how many are open to them: the one that they have, else the first that
 * nobody has, else one that somebody has (`is_taken`). With a `salt` people who ask at once get different ones. Undefined
 * where none is open.
 */
export async function findCandidate(
  store: Store,
  queue: StoredQueue,
  { annotator, salt }: { annotator: string; salt: string },
  time: ItemTime,
  options: QueryOptions,
): Promise<z.infer<typeof CandidateRow> | undefined> {
  const order = salt === '' ? sql`created_at, id` : sql`cityHash64(id, ${salt}), id`
  const statement = sql`SELECT id, is_taken, toUInt32(count() OVER ()) AS open_count
FROM ${selectOpenItems(queue.project_id, queue, annotator, time)}
ORDER BY is_taken, is_own DESC, ${order} LIMIT 1`
  const [item] = await store.query(statement, CandidateRow, options)
  return item
}

export type Mark = {
  state: 'leased' | 'released' | 'in_progress' | 'completed' | 'skipped'
  annotator: string
  /** Microseconds since 1970; 0 for no lease. */
  markedAtUs: number
  leaseExpiresAtUs?: number
  disagreedAt?: number
}

export async function insertMark(store: Store, item: ItemRow, mark: Mark, options: WriteOptions): Promise<void> {
  const row = {
    project_id: item.project_id,
    queue_id: item.queue_id,
    item_id: item.id,
    call_id: item.call_id,
    annotator: mark.annotator,
    state: mark.state,
    marked_at: microsecondsToEngineTime(mark.markedAtUs),
    lease_expires_at: microsecondsToEngineTime(mark.leaseExpiresAtUs ?? 0),
    disagreed_at: mark.disagreedAt ?? 0,
  }
  await store.insert('queue_marks', [row], { share: options.share })
}

type ItemsInput = z.output<typeof queryQueueItems.request>

const columnByField: Record<(typeof itemSortFields)[number], Sql> = columnsByName([
  'call_started_at',
  'call_op_name',
  'created_at',
  'updated_at',
])
const asAdded = [{ field: 'created_at', direction: 'asc' }] as const

const sizeAdvice = "Set a smaller 'limit' and page by 'offset'."

const PositionedRow = z.extend(ItemRow, { position: z.number() })

/** Throws (422) where they would not fit into memory. */
export async function listItems(
  store: Store,
  queue: StoredQueue,
  input: ItemsInput,
  time: ItemTime,
  options: QueryOptions,
): Promise<QueueItem[]> {
  const { project_id: projectId, sort_by: sortBy, filter, include_position: hasPosition = false } = input
  const order = orderBy(sortBy?.length ? sortBy : asAdded, columnByField, sql`id ASC`)
  const position = hasPosition ? sql`toUInt32(row_number() OVER (${order}))` : sql`toUInt32(0)`
  const statement = sql`SELECT ${itemColumns}, position
FROM (SELECT ${itemColumns}, ${position} AS position FROM ${selectItems(projectId, [queue], time)})
WHERE ${joinSql(filterConditions(filter), ' AND ', sql`1`)}
${order}
${limitOffset(input)}`
  const rows = await store
    .query(statement, PositionedRow, { ...options, maxResultBytes: maxResponseBytes })
    .catch((error: unknown) => {
      if (isTooLarge(error)) requireResponseFits({ rows: Infinity, bytes: Infinity }, sizeAdvice)
      throw error
    })
  return rows.map(({ position: own, ...row }) => toQueueItem(row, time.nowUs, hasPosition ? own : null))
}

function filterConditions(filter: ItemsInput['filter'] = {}): Sql[] {
  const { id, call_id, call_op_name, call_trace_id, added_by, annotation_states: states } = filter
  return [
    ...(id === undefined ? [] : [sql`id = ${id}`]),
    ...(call_id === undefined ? [] : [sql`call_id = ${call_id}`]),
    ...(call_op_name === undefined ? [] : [sql`call_op_name = ${call_op_name}`]),
    ...(call_trace_id === undefined ? [] : [sql`call_trace_id = ${call_trace_id}`]),
    ...(added_by === undefined ? [] : [sql`added_by = ${added_by}`]),
    ...(states?.length ? [sql`annotation_state IN ${states}`] : []),
  ]
}

const StatsRow = z.object({ queue_id: z.string(), total: z.number(), completed: z.number(), skipped: z.number() })

/** How many items each of these queues has, and how many are closed; queues without items are left out. */
export async function countItems(
  store: Store,
  projectId: string,
  queues: readonly QueueSettings[],
  time: ItemTime,
  options: QueryOptions,
): Promise<Map<string, z.infer<typeof StatsRow>>> {
  if (queues.length === 0) return new Map()
  const statement = sql`SELECT queue_id, toUInt32(count()) AS total, toUInt32(countIf(annotation_state = 'completed')) AS completed,
  toUInt32(countIf(annotation_state = 'skipped')) AS skipped
FROM ${selectItems(projectId, queues, time)} GROUP BY queue_id`
  const rows = await store.query(statement, StatsRow, options)
  return new Map(rows.map((row) => [row.queue_id, row]))
}
