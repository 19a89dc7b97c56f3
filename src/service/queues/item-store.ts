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
import { joinSql, type Sql, sql, uint64 } from '../store/sql'
import type { QueryOptions, Store, WriteOptions } from '../store/store'
import { isTooLarge } from '../store/store-error'
import {
  addedItemColumns,
  AddedItemRow,
  itemColumns,
  ItemRow,
  type ItemState,
  ItemStateRow,
  type ItemTime,
  selectItems,
  selectItemState,
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

/**
 * An item of a queue; undefined where the queue has no such item, or its call was deleted. Where its state is `known`, it is not
 * read: that takes four times as long as the rest.
 */
export async function findItem(
  store: Store,
  queue: StoredQueue,
  itemId: string,
  { time, known }: { time: ItemTime; known: ItemState | undefined },
  options: QueryOptions,
): Promise<ItemRow | undefined> {
  const { project_id: projectId, id: queueId } = queue
  const isItem = sql`project_id = ${projectId} AND queue_id = ${queueId} AND id = ${itemId}`
  const isCallThere = isNotDeleted(sql`call_id`, projectId, sql`SELECT call_id FROM queue_items WHERE ${isItem}`)
  // Apart from each other they take a tenth of the time of a join.
  const [[item], state] = await Promise.all([
    store.query(sql`SELECT ${addedItemColumns} FROM queue_items FINAL WHERE ${isItem} AND ${isCallThere}`, AddedItemRow, options),
    known ?? findItemState(store, queue, itemId, time, options),
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

async function findItemState(
  store: Store,
  queue: StoredQueue,
  itemId: string,
  time: ItemTime,
  options: QueryOptions,
): Promise<ItemState> {
  const [state] = await store.query(selectItemState(queue.project_id, queue, itemId, time), ItemStateRow, options)
  if (!state) throw new Error('An aggregate without keys has one row, and the engine returned none.')
  return state
}

function withState(item: AddedItemRow, { changed_at: changedAt, ...state }: ItemState): ItemRow {
  return { ...item, ...state, updated_at: compareInstants(item.created_at, changedAt) < 0 ? changedAt : item.created_at }
}

export type Mark = {
  state: 'leased' | 'released' | 'in_progress' | 'completed' | 'skipped' | 'resumed'
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
FROM (SELECT ${itemColumns}, has_disagreement, ${position} AS position FROM ${selectItems(projectId, [queue], time)})
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

function isAmong(annotator: string, people: Sql): Sql {
  return sql`arrayExists(person -> tupleElement(person, 1) = ${annotator}, ${people})`
}

function filterConditions(filter: ItemsInput['filter'] = {}): Sql[] {
  const { id, call_id, call_op_name, call_trace_id, added_by, annotation_states: states } = filter
  const { annotator, completed_by: completedBy, has_disagreement } = filter
  return [
    ...(id === undefined ? [] : [sql`id = ${id}`]),
    ...(call_id === undefined ? [] : [sql`call_id = ${call_id}`]),
    ...(call_op_name === undefined ? [] : [sql`call_op_name = ${call_op_name}`]),
    ...(call_trace_id === undefined ? [] : [sql`call_trace_id = ${call_trace_id}`]),
    ...(added_by === undefined ? [] : [sql`added_by = ${added_by}`]),
    ...(states?.length ? [sql`annotation_state IN ${states}`] : []),
    ...(annotator === undefined ? [] : [sql`(${isAmong(annotator, sql`reviews`)} OR ${isAmong(annotator, sql`leases`)})`]),
    ...(completedBy === undefined
      ? []
      : [sql`has(arrayMap(person -> (person.1, person.2), reviews), (${completedBy}, 'completed'))`]),
    ...(has_disagreement === undefined ? [] : [sql`has_disagreement = ${uint64(Number(has_disagreement))}`]),
  ]
}

const CountsRow = z.object({ total: z.number(), completed: z.number(), skipped: z.number() })

/** How many items a queue has, and how many are closed. */
export async function countItems(
  store: Store,
  queue: StoredQueue,
  time: ItemTime,
  options: QueryOptions,
): Promise<z.infer<typeof CountsRow>> {
  const statement = sql`SELECT toUInt32(count()) AS total, toUInt32(countIf(annotation_state = 'completed')) AS completed,
  toUInt32(countIf(annotation_state = 'skipped')) AS skipped
FROM ${selectItems(queue.project_id, [queue], time)}`
  const [counts] = await store.query(statement, CountsRow, options)
  return counts ?? { total: 0, completed: 0, skipped: 0 }
}
