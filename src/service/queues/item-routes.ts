import {
  addQueueItems,
  leaseQueueItem,
  nextQueueItem,
  queryQueueItems,
  queryQueueStats,
  releaseQueueItem,
  updateItemProgress,
} from '../../contract/queue-items'
import { HttpError } from '../http/http-error'
import { type RequestContext, type Route, route } from '../http/route'
import type { KeyedMutex } from '../lib/keyed-mutex'
import type { Store } from '../store/store'
import { addItems } from './add-items'
import type { ItemReviews } from './item-reviews'
import { type ItemRow, toQueueItem } from './item-sql'
import { listItems } from './item-store'
import type { QueueReader } from './queue-reader'
import { findQueueSettings } from './queue-store'
import { noStats, QueueStatsReader } from './queue-stats'

export type ItemDeps = { store: Store; queues: QueueReader; clock: () => number; mutex: KeyedMutex; reviews: ItemReviews }

export function itemRoutes({ store, queues, clock, mutex, reviews }: ItemDeps): Route[] {
  const statsReader = new QueueStatsReader(store)

  /** Throws 404 for the queue, 403 for a user who is not among its assignees, and 409 where it is archived. */
  const enter = async (input: { project_id: string; queue_id: string }, { user, reader }: RequestContext) => {
    const queue = await queues.require(input.project_id, input.queue_id, reader)
    const { username: annotator } = user
    if (queue.assignees.length > 0 && !queue.assignees.includes(annotator)) throw notAssigned(annotator)
    if (queue.archived) throw archived()
    return { queue, annotator, reader }
  }

  const toLeased = async (row: ItemRow) => {
    const item = toQueueItem(row, (await reviews.now()).nowUs)
    if (!item.lease) throw new Error('An item was leased without a lease.')
    return { item, lease_expires_at: item.lease.expires_at }
  }

  return [
    route(addQueueItems, async (input, { user, reader }) => {
      const { project_id: projectId, queue_id: queueId, call_ids: callIds, display_fields: displayFields } = input
      await queues.require(projectId, queueId, reader)
      const items = { projectId, queueId, callIds, displayFields, addedBy: user.username }
      // Apart from the reviews of this queue, which need not wait for ten thousand calls.
      const added = await mutex.run(`items ${queueId}`, () => addItems(store, items, clock(), reader))
      reviews.forgetOpenItems(queueId)
      return added
    }),

    route(queryQueueItems, async (input, { reader }) => {
      const queue = await queues.require(input.project_id, input.queue_id, reader)
      return { items: await listItems(store, queue, input, await reviews.now(), reader) }
    }),

    route(queryQueueStats, async ({ project_id: projectId, queue_ids: queueIds }, { user, reader }) => {
      const settings = await findQueueSettings(store, projectId, [...new Set(queueIds)], reader)
      const stats = await statsReader.read(projectId, { queues: settings, annotator: user.username }, await reviews.now(), reader)
      return { stats: queueIds.map((id) => stats.get(id) ?? noStats(id)) }
    }),

    route(nextQueueItem, async (input, context) => {
      const { item, openCount } = await reviews.next(await enter(input, context))
      return item ? { ...(await toLeased(item)), open_count: openCount } : { item: null, open_count: openCount }
    }),

    route(leaseQueueItem, async (input, context) => {
      const { item_id: itemId, undo_skip: undoesSkip = false } = input
      return await toLeased(await reviews.lease(await enter(input, context), itemId, { undoesSkip }))
    }),

    // Also by those who may not review any more: it was theirs.
    route(releaseQueueItem, async (input, { user, reader }) => {
      const queue = await queues.require(input.project_id, input.queue_id, reader)
      const row = await reviews.release({ queue, annotator: user.username, reader }, input.item_id)
      return { item: toQueueItem(row, (await reviews.now()).nowUs) }
    }),

    route(updateItemProgress, async (input, context) => {
      const reviewer = await enter(input, context)
      const row = await reviews.mark(reviewer, input.item_id, input.annotation_state)
      return { item: toQueueItem(row, (await reviews.now()).nowUs) }
    }),
  ]
}

function notAssigned(username: string): HttpError {
  const msg = `The user '${username}' is not among the assignees of this queue. Ask who made it to add you.`
  return new HttpError('forbidden', { loc: ['path', 'queue_id'], msg, type: 'not_assigned' })
}

function archived(): HttpError {
  const msg = 'This queue is archived. Unarchive it to go on with the review.'
  return new HttpError('conflict', { loc: ['path', 'queue_id'], msg, type: 'queue_archived' })
}
