import * as z from 'zod/mini'
import { closedDays, type QueueStats } from '../../contract/queue-items'
import { toCompoundKey } from '../lib/compound-key'
import { LastValues } from '../lib/last-values'
import { isNotDeleted } from '../store/merged-calls'
import { engineTime } from '../store/row-types'
import { sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { type ItemTime, type QueueSettings, selectProgress } from './item-sql'
import { readContentKeys } from './read-content-keys'

const TotalRow = z.object({ queue_id: z.string(), total: z.number() })

const ProgressRow = z.object({
  queue_id: z.string(),
  closed: z.number(),
  reviewed: z.number(),
  taken: z.number(),
  reviews: z.number(),
  missing_reviews: z.number(),
  marked: z.number(),
  active: z.array(z.string()),
  first_closed_at: engineTime,
  closed_by_day: z.array(z.number()),
})

type Asked = {
  queues: readonly (QueueSettings & { archived: boolean })[]
  /** Who asks. */
  annotator: string
}

/**
 * Queues of one statement. The engine groups the marks of 50 queues of 10,000 items in half a second; those of 200 at once do
 * not fit into the memory of a statement, and take ten times as long.
 */
const queuesPerStatement = 40

/** Leases end and days pass without a new mark. */
const maxAgeUs = 60_000_000
const maxRemembered = 20_000

/** Reads how far queues are, and again only those where something has changed: a list is read whenever one of them has. */
export class QueueStatsReader {
  private readonly known = new LastValues<QueueStats>(maxRemembered)

  constructor(private readonly store: Store) {}

  /** For one person, by the queue's id. */
  async read(
    projectId: string,
    { queues, annotator }: Asked,
    time: ItemTime,
    options: QueryOptions,
  ): Promise<ReadonlyMap<string, QueueStats>> {
    if (queues.length === 0) return new Map()
    const contentKeys = await readContentKeys(
      this.store,
      projectId,
      queues.map(({ id }) => id),
      options,
    )
    const toName = (id: string) => toCompoundKey(projectId, id, annotator)
    const period = Math.floor(time.nowUs / maxAgeUs)
    const toKey = ({ id, ...settings }: Asked['queues'][number]) => JSON.stringify([contentKeys.get(id), period, settings])
    const stats = new Map<string, QueueStats>()
    const changed: Asked['queues'][number][] = []
    for (const queue of queues) {
      const own = this.known.get(toName(queue.id), toKey(queue))
      if (own) stats.set(queue.id, own)
      else changed.push(queue)
    }
    for (let start = 0; start < changed.length; start += queuesPerStatement) {
      const part = changed.slice(start, start + queuesPerStatement)
      const counted = await readSomeStats(this.store, projectId, { queues: part, annotator }, time, options)
      for (const [index, queue] of part.entries()) {
        const own = counted[index]
        if (own) stats.set(queue.id, this.known.set(toName(queue.id), toKey(queue), own))
      }
    }
    return stats
  }
}

async function readSomeStats(
  store: Store,
  projectId: string,
  { queues, annotator }: Asked,
  time: ItemTime,
  options: QueryOptions,
): Promise<QueueStats[]> {
  const isOfQueues = sql`project_id = ${projectId} AND queue_id IN ${queues.map(({ id }) => id)}`
  const countTotals = sql`SELECT queue_id, toUInt32(count()) AS total
FROM queue_items FINAL WHERE ${isOfQueues} AND ${isNotDeleted(sql`call_id`, projectId)} GROUP BY queue_id`
  const [totals, progress] = await Promise.all([
    store.query(countTotals, TotalRow, options),
    store.query(selectProgress(projectId, queues, annotator, time), ProgressRow, options),
  ])
  const totalById = new Map(totals.map(({ queue_id: id, total }) => [id, total]))
  const progressById = new Map(progress.map((row) => [row.queue_id, row]))
  return queues.map(({ id, archived, assignees, reviews_per_item: reviewsPerItem }) => {
    const row = progressById.get(id)
    const { closed, reviewed, taken, active } = row ?? { closed: 0, reviewed: 0, taken: 0, active: [] }
    const total = totalById.get(id) ?? 0
    const canReview = !archived && (assignees.length === 0 || assignees.includes(annotator))
    const openCount = canReview ? total - closed - reviewed : 0
    return {
      queue_id: id,
      total_items: total,
      completed_items: closed,
      open_count: openCount,
      free_count: canReview ? openCount - taken : 0,
      review_count: row?.reviews ?? 0,
      missing_review_count: (row?.missing_reviews ?? 0) + (total - (row?.marked ?? 0)) * reviewsPerItem,
      active_annotators: active,
      closed_by_day: row?.closed_by_day ?? Array<number>(closedDays).fill(0),
      first_closed_at: row && closed > 0 ? row.first_closed_at : null,
    }
  })
}

/** Of a queue that the project does not have. */
export function noStats(queueId: string): QueueStats {
  return { queue_id: queueId, total_items: 0, completed_items: 0 }
}
