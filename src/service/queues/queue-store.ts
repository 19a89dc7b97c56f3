import * as z from 'zod/mini'
import type { Queue, queueSortFields, streamQueues } from '../../contract/queues'
import { fromEngineTime, microsecondsToEngineTime, msToEngineTime, toEngineTime } from '../store/engine-time'
import { limitOffset } from '../store/limit-offset'
import { orderBy } from '../store/order-by'
import { count, engineTime, flag, nullableEngineTime } from '../store/row-types'
import { dateTime, type Sql, sql, uint64 } from '../store/sql'
import type { QueryOptions, Store, WriteOptions } from '../store/store'

const QueueRow = z.object({
  id: z.string(),
  project_id: z.string(),
  name: z.string(),
  description: z.string(),
  scorer_refs: z.array(z.string()),
  created_at: engineTime,
  created_by: z.nullable(z.string()),
  updated_at: engineTime,
  deleted_at: nullableEngineTime,
  reviews_per_item: z.number(),
  assignees: z.array(z.string()),
  archived: flag,
})

const StoredQueueRow = z.extend(QueueRow, { idempotency_key: z.string(), request_digest: z.string(), version: count })
/** A queue with what only the store knows of it. */
export type StoredQueue = z.infer<typeof StoredQueueRow>

const queueColumns = sql`id, project_id, name, description, scorer_refs, created_at, created_by, updated_at, deleted_at,
  reviews_per_item, assignees, archived`

function fromQueues(projectId: string): Sql {
  return sql`FROM queues FINAL
WHERE project_id = ${projectId} AND deleted_at IS NULL`
}

const columnByField: Record<(typeof queueSortFields)[number], Sql> = {
  id: sql`id`,
  name: sql`name`,
  created_at: sql`created_at`,
  updated_at: sql`updated_at`,
}

/** The project's queues in a total order, newest first unless sorted. `name` is a substring, taken literally, in any case. */
export function listQueues(
  store: Store,
  input: z.output<typeof streamQueues.request>,
  options: QueryOptions,
): AsyncIterable<Queue[]> {
  // Ids rise with every queue, also within a millisecond and when the clock is set back.
  const order = input.sort_by?.length ? orderBy(input.sort_by, columnByField, sql`id ASC`) : sql`ORDER BY id DESC`
  const statement = sql`SELECT ${queueColumns} ${fromQueues(input.project_id)}
AND archived = ${uint64(Number(input.archived ?? false))} AND position(lowerUTF8(name), lowerUTF8(${input.name ?? ''})) > 0
${order}
${limitOffset(input)}`
  return store.stream(statement, QueueRow, options)
}

/** A queue whether or not it is deleted. `QueueReader` remembers what this reads. */
export async function findStoredQueue(
  store: Store,
  projectId: string,
  id: string,
  options: QueryOptions,
): Promise<StoredQueue | undefined> {
  const statement = sql`SELECT ${queueColumns}, idempotency_key, request_digest, version
FROM queues FINAL WHERE project_id = ${projectId} AND id = ${id}`
  const [queue] = await store.query(statement, StoredQueueRow, options)
  return queue
}

const SettingsRow = z.pick(QueueRow, { id: true, reviews_per_item: true, assignees: true, archived: true })

/** The review settings of these queues. Ids that are no queue of the project are left out. */
export async function findQueueSettings(store: Store, projectId: string, ids: readonly string[], options: QueryOptions) {
  const statement = sql`SELECT id, reviews_per_item, assignees, archived ${fromQueues(projectId)} AND id IN ${ids}`
  return await store.query(statement, SettingsRow, options)
}

export type NewQueue = Pick<
  Queue,
  'id' | 'project_id' | 'name' | 'description' | 'scorer_refs' | 'reviews_per_item' | 'assignees'
> & {
  createdBy: string
  /** '' without an Idempotency-Key. */
  idempotencyKey: string
  requestDigest: string
}

/** Stores a queue created at `nowMs`, milliseconds since 1970. */
export async function insertQueue(store: Store, queue: NewQueue, nowMs: number, options: WriteOptions): Promise<void> {
  const { createdBy, idempotencyKey, requestDigest, ...fields } = queue
  const time = msToEngineTime(nowMs)
  const row = {
    ...fields,
    created_at: time,
    created_by: createdBy,
    updated_at: time,
    deleted_at: null,
    idempotency_key: idempotencyKey,
    request_digest: requestDigest,
    version: nowMs * 1000,
  }
  await store.insert('queues', [row], { share: options.share })
}

export type QueueChange = Partial<
  Pick<StoredQueue, 'name' | 'description' | 'scorer_refs' | 'reviews_per_item' | 'assignees' | 'archived'>
> & {
  isDeleted?: boolean
}

/** Stores a queue with changes made at `nowMs`, over what is stored of it, also after the clock was set back. */
export async function changeQueue(
  store: Store,
  queue: StoredQueue,
  { isDeleted = false, ...change }: QueueChange,
  nowMs: number,
  options: WriteOptions,
): Promise<StoredQueue> {
  const version = Math.max(nowMs * 1000, queue.version + 1)
  const time = microsecondsToEngineTime(version)
  const changed = { ...queue, ...change, version }
  const row = {
    ...changed,
    archived: Number(changed.archived),
    created_at: toEngineTime(queue.created_at),
    updated_at: time,
    deleted_at: isDeleted ? time : null,
  }
  await store.insert('queues', [row], { share: options.share })
  const changedAt = fromEngineTime(time)
  return { ...changed, updated_at: changedAt, deleted_at: isDeleted ? changedAt : null }
}

const IdempotencyRow = z.object({ id: z.string(), request_digest: z.string() })

/** The queue that this user created in this project with this Idempotency-Key since then. A deleted queue counts as well. */
export async function findQueueByIdempotencyKey(
  store: Store,
  { projectId, createdBy, key, sinceMs }: { projectId: string; createdBy: string; key: string; sinceMs: number },
  options: QueryOptions,
): Promise<z.infer<typeof IdempotencyRow> | undefined> {
  const statement = sql`SELECT id, request_digest FROM queues FINAL
WHERE project_id = ${projectId} AND created_by = ${createdBy}
  AND idempotency_key = ${key} AND created_at > ${dateTime(msToEngineTime(sinceMs))}
ORDER BY created_at ASC, id ASC LIMIT 1`
  const [row] = await store.query(statement, IdempotencyRow, options)
  return row
}
