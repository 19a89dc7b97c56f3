import * as z from 'zod'
import type { Queue, queueSortFields } from '../../contract/queues'
import type { Direction } from '../../contract/request'
import { toEngineTime, fromEngineTime } from '../store/engine-time'
import { orderBy } from '../store/order-by'
import { type Sql, sql, uint64 } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'

type SortKey = { field: (typeof queueSortFields)[number]; direction: Direction }

const QueueRow = z.object({
  id: z.string(),
  project_id: z.string(),
  name: z.string(),
  description: z.string(),
  scorer_refs: z.array(z.string()),
  created_at: z.string().transform(fromEngineTime),
  created_by: z.string().nullable(),
  updated_at: z.string().transform(fromEngineTime),
  deleted_at: z.string().transform(fromEngineTime).nullable(),
})

const queuesOfProject = (
  projectId: string,
) => sql`SELECT id, project_id, name, description, scorer_refs, created_at, created_by, updated_at, deleted_at
FROM queues FINAL
WHERE project_id = ${projectId} AND deleted_at IS NULL`

const columnByField: Record<SortKey['field'], Sql> = {
  id: sql`id`,
  name: sql`name`,
  created_at: sql`created_at`,
  updated_at: sql`updated_at`,
}
const mostRows = 1e15 // "all", within what LIMIT and OFFSET add up to

export type QueueFilter = {
  project_id: string
  name?: string | undefined
  sort_by?: readonly SortKey[] | undefined
  limit?: number | undefined
  offset?: number | undefined
}

/** The project's queues in a total order, newest first unless sorted; `name` is looked for literally, whatever its case. */
export function listQueues(store: Store, filter: QueueFilter, options: QueryOptions): AsyncIterable<Queue[]> {
  // Ids rise with time, so of two made in one millisecond the later comes first as well.
  const order = filter.sort_by?.length
    ? orderBy(filter.sort_by, columnByField, sql`id ASC`)
    : orderBy([{ field: 'created_at', direction: 'desc' }], columnByField, sql`id DESC`)
  const statement = sql`${queuesOfProject(filter.project_id)}
AND position(lowerUTF8(name), lowerUTF8(${filter.name ?? ''})) > 0
${order}
LIMIT ${uint64(filter.limit ?? mostRows)} OFFSET ${uint64(filter.offset ?? 0)}`
  return store.stream(statement, QueueRow, options)
}

export async function findQueue(store: Store, projectId: string, id: string, options: QueryOptions): Promise<Queue | undefined> {
  const [queue] = await store.query(sql`${queuesOfProject(projectId)} AND id = ${id}`, QueueRow, options)
  return queue
}

export type NewQueue = Pick<Queue, 'id' | 'project_id' | 'name' | 'description' | 'scorer_refs'> & {
  createdBy: string
  /** '' without an Idempotency-Key. */
  idempotencyKey: string
  requestDigest: string
}

/** Stores a queue made `now`, milliseconds since 1970. */
export async function insertQueue(store: Store, queue: NewQueue, now: number): Promise<void> {
  const { createdBy, idempotencyKey, requestDigest, ...fields } = queue
  const time = toEngineTime(new Date(now).toISOString())
  await store.insert('queues', [
    {
      ...fields,
      created_at: time,
      created_by: createdBy,
      updated_at: time,
      deleted_at: null,
      idempotency_key: idempotencyKey,
      request_digest: requestDigest,
      version: now * 1000,
    },
  ])
}

const firstByKey = `SELECT id, request_digest FROM queues FINAL
WHERE project_id = {project_id:String} AND created_by = {created_by:String}
  AND idempotency_key = {key:String} AND created_at > {since:DateTime64(6, 'UTC')}
ORDER BY created_at ASC, id ASC LIMIT 1`

/** The queue this user made in this project with this Idempotency-Key since then; a deleted one counts as well. */
export async function findQueueByKey(
  store: Store,
  { projectId, createdBy, key, since }: { projectId: string; createdBy: string; key: string; since: number },
): Promise<{ id: string; request_digest: string } | undefined> {
  const params = { project_id: projectId, created_by: createdBy, key, since: toEngineTime(new Date(since).toISOString()) }
  const [row] = await store.query(firstByKey, params, z.object({ id: z.string(), request_digest: z.string() }))
  return row
}
