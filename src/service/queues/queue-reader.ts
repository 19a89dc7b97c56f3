import { HttpError } from '../http/http-error'
import { toCompoundKey } from '../lib/compound-key'
import type { QueryOptions, Store } from '../store/store'
import { TableCache } from '../store/table-cache'
import { findStoredQueue, type StoredQueue } from './queue-store'

/** Finds queues by their ids. Every request of a reviewer needs its queue, and queues are seldom changed. */
export class QueueReader {
  private readonly cache: TableCache<StoredQueue | undefined>

  constructor(private readonly store: Store) {
    this.cache = new TableCache(store, 'queues')
  }

  /** Undefined where the project has no such queue, or it is deleted. */
  async find(projectId: string, id: string, options: QueryOptions): Promise<StoredQueue | undefined> {
    const queue = await this.findStored(projectId, id, options)
    return queue?.deleted_at === null ? queue : undefined
  }

  /** Throws 404 where the project has no such queue, or it is deleted. */
  async require(projectId: string, id: string, options: QueryOptions): Promise<StoredQueue> {
    return (await this.find(projectId, id, options)) ?? throwNoSuchQueue()
  }

  /** A queue whether or not it is deleted. Throws 404 where the project has no such queue. */
  async requireStored(projectId: string, id: string, options: QueryOptions): Promise<StoredQueue> {
    return (await this.findStored(projectId, id, options)) ?? throwNoSuchQueue()
  }

  private async findStored(projectId: string, id: string, options: QueryOptions): Promise<StoredQueue | undefined> {
    const key = toCompoundKey(projectId, id)
    const found = await this.cache.read(
      [key],
      async () => new Map([[key, await findStoredQueue(this.store, projectId, id, options)]]),
    )
    return found.get(key)
  }
}

function throwNoSuchQueue(): never {
  throw new HttpError('not_found', { loc: ['path', 'queue_id'], msg: 'This project has no such queue.', type: 'not_found' })
}
