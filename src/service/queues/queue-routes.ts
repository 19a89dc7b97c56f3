import { createHash } from 'node:crypto'
import {
  createQueue,
  deleteQueue,
  describeMissingAssignees,
  readQueue,
  restoreQueue,
  streamQueues,
  updateQueue,
} from '../../contract/queues'
import { HttpError } from '../http/http-error'
import { type Route, route, streamRoute } from '../http/route'
import type { Store } from '../store/store'
import type { KeyedMutex } from '../lib/keyed-mutex'
import { changeQueue, findQueueByIdempotencyKey, insertQueue, listQueues, type NewQueue, type StoredQueue } from './queue-store'
import type { QueueReader } from './queue-reader'

/** `mutex`: of two changes to a queue at once neither may undo the other. Copies of the service have one each: see `KeyedMutex`. */
export type QueueDeps = { store: Store; queues: QueueReader; clock: () => number; newId: () => string; mutex: KeyedMutex }

const idempotencyWindowMs = 24 * 60 * 60 * 1000
const idempotencyKeyLoc = ['header', 'idempotency-key']

export function queueRoutes({ store, queues, clock, newId, mutex }: QueueDeps): Route[] {
  return [
    route(createQueue, async (input, { user, header, reader }) => {
      const { project_id, name, description, scorer_refs, reviews_per_item: reviewsPerItem = 1, assignees = [] } = input
      const fields = { project_id, name, description, scorer_refs }
      const review = { reviews_per_item: reviewsPerItem, assignees: [...new Set(assignees)] }
      requireEnoughAssignees(review)
      const createdBy = user.username
      const create = async (idempotencyKey: string, requestDigest: string) => {
        const id = newId()
        const queue: NewQueue = { ...fields, ...review, id, createdBy, idempotencyKey, requestDigest }
        await insertQueue(store, queue, clock(), reader)
        return { id }
      }
      const key = header('idempotency-key')
      if (key === undefined) return await create('', '')
      requireValidKey(key)
      const isUsual = reviewsPerItem === 1 && assignees.length === 0
      const text = JSON.stringify(isUsual ? fields : { ...fields, ...review })
      const digest = createHash('sha256').update(text).digest('base64url')
      // A second request with the same key waits for the first, and then returns its queue.
      return await mutex.run(JSON.stringify([createdBy, project_id, key]), async () => {
        const sinceMs = clock() - idempotencyWindowMs
        const first = await findQueueByIdempotencyKey(store, { projectId: project_id, createdBy, key, sinceMs }, reader)
        if (!first) return await create(key, digest)
        if (first.request_digest === digest) return { id: first.id }
        throw new HttpError('conflict', {
          loc: idempotencyKeyLoc,
          msg: 'This Idempotency-Key was sent with another body within the last 24 hours. Send a new key for a new queue.',
          type: 'idempotency_conflict',
        })
      })
    }),

    streamRoute(streamQueues, (input, { reader }) => listQueues(store, input, reader)),

    route(readQueue, async ({ queue_id: id, project_id: projectId }, { reader }) => ({
      queue: toQueue(await queues.require(projectId, id, reader)),
    })),

    route(updateQueue, async ({ queue_id: id, project_id: projectId, ...input }, { reader }) =>
      mutex.run(id, async () => {
        const { name, description, scorer_refs, reviews_per_item, assignees, archived } = input
        const named = {
          name,
          description,
          scorer_refs,
          reviews_per_item,
          assignees: assignees && [...new Set(assignees)],
          archived,
        }
        const change = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
        const queue = await queues.require(projectId, id, reader)
        if (Object.keys(change).length === 0) return { queue: toQueue(queue) }
        requireEnoughAssignees({ ...queue, ...change })
        return { queue: toQueue(await changeQueue(store, queue, change, clock(), reader)) }
      }),
    ),

    route(deleteQueue, async ({ queue_id: id, project_id: projectId }, { reader }) =>
      mutex.run(id, async () => {
        const queue = await queues.require(projectId, id, reader)
        return { queue: toQueue(await changeQueue(store, queue, { isDeleted: true }, clock(), reader)) }
      }),
    ),

    route(restoreQueue, async ({ queue_id: id, project_id: projectId }, { reader }) =>
      mutex.run(id, async () => {
        const queue = await queues.requireStored(projectId, id, reader)
        return { queue: toQueue(queue.deleted_at === null ? queue : await changeQueue(store, queue, {}, clock(), reader)) }
      }),
    ),
  ]
}

function toQueue({ idempotency_key: _key, request_digest: _digest, version: _version, ...queue }: StoredQueue) {
  return queue
}

function requireEnoughAssignees(queue: Pick<StoredQueue, 'reviews_per_item' | 'assignees'>): void {
  const msg = describeMissingAssignees(queue)
  if (msg === undefined) return
  throw new HttpError('invalid', { loc: ['body', 'assignees'], msg, type: 'value_error' })
}

function requireValidKey(key: string): void {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return
  throw new HttpError('invalid', {
    loc: idempotencyKeyLoc,
    msg: 'Must be 1 to 255 visible ASCII characters.',
    type: 'value_error',
  })
}
