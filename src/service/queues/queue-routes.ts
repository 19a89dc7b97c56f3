import { createHash } from 'node:crypto'
import { createQueue, readQueue, streamQueues } from '../../contract/queues'
import { HttpError } from '../http/http-error'
import { type Route, route, streamRoute } from '../http/route'
import type { Store } from '../store/store'
import { KeyedMutex } from '../lib/keyed-mutex'
import { findQueue, findQueueByIdempotencyKey, insertQueue, listQueues } from './queue-store'

export type QueueDeps = { store: Store; clock: () => number; newId: () => string }

const idempotencyWindowMs = 24 * 60 * 60 * 1000
const idempotencyKeyLoc = ['header', 'idempotency-key']

export function queueRoutes({ store, clock, newId }: QueueDeps): Route[] {
  // A second request with the same key waits for the first, and then returns its queue.
  const mutex = new KeyedMutex()
  return [
    route(createQueue, async ({ project_id, name, description, scorer_refs }, { user, header, reader }) => {
      const fields = { project_id, name, description, scorer_refs }
      const createdBy = user.username
      const create = async (idempotencyKey: string, requestDigest: string) => {
        const id = newId()
        await insertQueue(store, { ...fields, id, createdBy, idempotencyKey, requestDigest }, clock(), reader)
        return { id }
      }
      const key = header('idempotency-key')
      if (key === undefined) return await create('', '')
      requireValidKey(key)
      const digest = createHash('sha256').update(JSON.stringify(fields)).digest('base64url')
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

    route(readQueue, async ({ queue_id: id, project_id: projectId }, { reader }) => {
      const queue = await findQueue(store, projectId, id, reader)
      if (queue) return { queue }
      throw new HttpError('not_found', { loc: ['path', 'queue_id'], msg: 'This project has no such queue.', type: 'not_found' })
    }),
  ]
}

function requireValidKey(key: string): void {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return
  throw new HttpError('invalid', {
    loc: idempotencyKeyLoc,
    msg: 'Must be 1 to 255 visible ASCII characters.',
    type: 'value_error',
  })
}
