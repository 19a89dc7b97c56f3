import { createHash } from 'node:crypto'
import { createQueue, readQueue, streamQueues } from '../../contract/queues'
import { HttpError } from '../http/http-error'
import { type Route, route, streamRoute } from '../http/route'
import type { Store } from '../store/store'
import { OneAtATime } from './one-at-a-time'
import { findQueue, findQueueByKey, insertQueue, listQueues } from './queue-store'

export type QueueDeps = { store: Store; clock: () => number; newId: () => string }

const rememberedMs = 24 * 60 * 60 * 1000
const keyPlace = ['header', 'idempotency-key']

export function queueRoutes({ store, clock, newId }: QueueDeps): Route[] {
  const oneAtATime = new OneAtATime()
  return [
    route(createQueue, async ({ project_id, name, description, scorer_refs }, { user, header }) => {
      const fields = { project_id, name, description, scorer_refs }
      const createdBy = user.username
      const create = async (idempotencyKey: string, requestDigest: string) => {
        const id = newId()
        await insertQueue(store, { ...fields, id, createdBy, idempotencyKey, requestDigest }, clock())
        return { id }
      }
      const key = header('idempotency-key')
      if (key === undefined) return await create('', '')
      requireKey(key)
      const digest = createHash('sha256').update(JSON.stringify(fields)).digest('base64url')
      return await oneAtATime.run(JSON.stringify([createdBy, project_id, key]), async () => {
        const first = await findQueueByKey(store, { projectId: project_id, createdBy, key, since: clock() - rememberedMs })
        if (!first) return await create(key, digest)
        if (first.request_digest === digest) return { id: first.id }
        throw new HttpError('conflict', {
          loc: keyPlace,
          msg: 'This Idempotency-Key came with another body within the last 24 hours. Send a new key with a new queue.',
          type: 'idempotency_conflict',
        })
      })
    }),

    streamRoute(streamQueues, (input, { signal }) => listQueues(store, input, { signal })),

    route(readQueue, async ({ queue_id: id, project_id: projectId }, { signal }) => {
      const queue = await findQueue(store, projectId, id, { signal })
      if (queue) return { queue }
      throw new HttpError('not_found', { loc: ['path', 'queue_id'], msg: 'This project has no such queue.', type: 'not_found' })
    }),
  ]
}

function requireKey(key: string): void {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return
  throw new HttpError('invalid', { loc: keyPlace, msg: 'Must be 1 to 255 visible ASCII characters.', type: 'value_error' })
}
