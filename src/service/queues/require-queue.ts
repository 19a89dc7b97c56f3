import { HttpError } from '../http/http-error'
import type { QueryOptions, Store } from '../store/store'
import { findQueue, type StoredQueue } from './queue-store'

/** Throws 404 where the project has no such queue, or it is deleted. */
export async function requireQueue(store: Store, projectId: string, id: string, options: QueryOptions): Promise<StoredQueue> {
  const queue = await findQueue(store, projectId, id, options)
  if (queue) return queue
  throw noSuchQueue()
}

export function noSuchQueue(): HttpError {
  return new HttpError('not_found', { loc: ['path', 'queue_id'], msg: 'This project has no such queue.', type: 'not_found' })
}
