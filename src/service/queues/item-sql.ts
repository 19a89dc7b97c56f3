import * as z from 'zod/mini'
import { annotationStates, type QueueItem } from '../../contract/queue-items'
import { isNotDeleted } from '../store/merged-calls'
import { microsecondsToEngineTime } from '../store/engine-time'
import { engineTime, flag, nullableEngineTime } from '../store/row-types'
import { dateTime, type Sql, sql } from '../store/sql'

export const ItemRow = z.object({
  id: z.string(),
  project_id: z.string(),
  queue_id: z.string(),
  call_id: z.string(),
  call_started_at: engineTime,
  call_ended_at: nullableEngineTime,
  call_op_name: z.string(),
  call_trace_id: z.string(),
  display_fields: z.array(z.string()),
  added_by: z.string(),
  created_at: engineTime,
  updated_at: engineTime,
  annotation_state: z.enum(annotationStates),
  reviews: z.array(z.tuple([z.string(), z.enum(['in_progress', 'completed', 'skipped']), engineTime])),
  required_reviews: z.number(),
  /** Who has the item, and until when. With several copies of the service leases that ended a moment ago are among them. */
  leases: z.array(z.tuple([z.string(), engineTime])),
  /** Whether a lease of somebody, the first, holds now. */
  is_leased: flag,
})
export type ItemRow = z.infer<typeof ItemRow>

/** The columns of `ItemRow`. */
export const itemColumns = sql`id, project_id, queue_id, call_id, call_started_at, call_ended_at, call_op_name, call_trace_id,
  display_fields, added_by, created_at, updated_at, annotation_state, reviews, required_reviews, leases, is_leased`

/**
 * When a state is asked for, in microseconds since 1970. Of leases, those count that end after `leasesFromUs`: that is before
 * now where copies of the service with other clocks may have given them.
 */
export type ItemTime = { nowUs: number; leasesFromUs: number }

type Selection = ItemTime & { itemId?: string | undefined }

/** What each person did with each item of these queues, a row for each. The final mark that came first counts. */
function selectMarks(projectId: string, queueIds: readonly string[], itemId: string | undefined): Sql {
  const isItem = itemId === undefined ? sql`` : sql`AND item_id = ${itemId}`
  return sql`(
  SELECT queue_id, item_id, any(call_id) AS call_id, annotator,
    argMinIf(state, marked_at, state IN ('completed', 'skipped')) AS final_state,
    maxIf(marked_at, state = 'in_progress') AS begun_at,
    minIf(marked_at, state IN ('completed', 'skipped')) AS finished_at,
    argMaxIf(lease_expires_at, marked_at, state IN ('leased', 'released', 'in_progress')) AS lease_end,
    max(disagreed_at) AS disagreed_at
  FROM queue_marks
  WHERE project_id = ${projectId} AND queue_id IN ${queueIds} ${isItem}
  GROUP BY queue_id, item_id, annotator
)`
}

/** Who completed which item: the columns `item_id`, `call_id` and `annotator`. */
export function selectCompletions(projectId: string, queueId: string): Sql {
  return sql`(SELECT item_id, call_id, annotator FROM ${selectMarks(projectId, [queueId], undefined)} AS marks WHERE final_state = 'completed')`
}

/** The figures of each person: `annotator, completed_count, skipped_count, last_reviewed_at`, those who finished most first. */
export function selectAnnotators(projectId: string, queueId: string): Sql {
  return sql`SELECT annotator, toUInt32(countIf(final_state = 'completed')) AS completed_count,
  toUInt32(countIf(final_state = 'skipped')) AS skipped_count, max(finished_at) AS last_reviewed_at
FROM ${selectMarks(projectId, [queueId], undefined)} AS marks
WHERE final_state != '' GROUP BY annotator ORDER BY completed_count DESC, annotator`
}

/**
 * The items of queues with their state, as a subquery. What the states mean is said at `QueueItem`. Items whose call was
 * deleted are left out.
 */
export function selectItems(projectId: string, queueIds: readonly string[], { nowUs, leasesFromUs, itemId }: Selection): Sql {
  const now = dateTime(microsecondsToEngineTime(nowUs))
  const leasesFrom = dateTime(microsecondsToEngineTime(leasesFromUs))
  const isOfQueues = sql`project_id = ${projectId} AND queue_id IN ${queueIds} ${itemId === undefined ? sql`` : sql`AND id = ${itemId}`}`
  const callIds = sql`SELECT call_id FROM queue_items WHERE ${isOfQueues}`
  return sql`(
  SELECT items.id AS id, items.project_id AS project_id, items.queue_id AS queue_id, items.call_id AS call_id,
    items.call_started_at AS call_started_at, items.call_ended_at AS call_ended_at, items.call_op_name AS call_op_name,
    items.call_trace_id AS call_trace_id, items.display_fields AS display_fields, items.added_by AS added_by,
    items.created_at AS created_at, greatest(items.created_at, marks.changed_at) AS updated_at,
    marks.reviews AS reviews, marks.leases AS leases,
    toUInt32(queue.reviews_per_item + (marks.disagreed_at = queue.reviews_per_item AND
      (empty(queue.assignees) OR length(queue.assignees) > queue.reviews_per_item))) AS required_reviews,
    arrayExists(lease -> lease.2 > ${now}, marks.leases) AS is_leased,
    notEmpty(queue.assignees) AND
      arrayCount(review -> review.2 != 'in_progress' AND has(queue.assignees, review.1), marks.reviews) >= length(queue.assignees)
      AS is_nobody_left,
    multiIf(marks.judged >= required_reviews, 'completed',
      marks.skipped >= queue.reviews_per_item OR is_nobody_left, 'skipped',
      notEmpty(marks.reviews) OR is_leased, 'in_progress', 'unstarted') AS annotation_state
  FROM (SELECT * FROM queue_items FINAL WHERE ${isOfQueues} AND ${isNotDeleted(sql`call_id`, projectId, callIds)}) AS items
  INNER JOIN (
    SELECT id, reviews_per_item, assignees FROM queues FINAL
    WHERE project_id = ${projectId} AND id IN ${queueIds} AND deleted_at IS NULL
  ) AS queue ON queue.id = items.queue_id
  LEFT JOIN (
    SELECT item_id, countIf(final_state = 'completed') AS judged, countIf(final_state = 'skipped') AS skipped,
      max(disagreed_at) AS disagreed_at, max(greatest(begun_at, finished_at)) AS changed_at,
      arraySort(review -> (review.3, review.1), groupArrayIf(
        (annotator, if(final_state = '', 'in_progress', final_state), if(final_state = '', begun_at, finished_at)),
        final_state != '' OR begun_at > toDateTime64(0, 6, 'UTC'))) AS reviews,
      arrayReverseSort(lease -> (lease.2, lease.1), groupArrayIf((annotator, lease_end),
        final_state = '' AND lease_end > ${leasesFrom})) AS leases
    FROM ${selectMarks(projectId, queueIds, itemId)} AS people
    GROUP BY item_id
  ) AS marks ON marks.item_id = items.id
)`
}

export function toQueueItem(row: ItemRow, position: number | null = null): QueueItem {
  const { reviews, leases, is_leased: isLeased, added_by: addedBy, ...item } = row
  const [annotator, expiresAt] = leases[0] ?? []
  const lease = isLeased && annotator !== undefined && expiresAt !== undefined ? { annotator, expires_at: expiresAt } : null
  return {
    ...item,
    added_by: addedBy,
    created_by: addedBy,
    annotator_user_id: lease?.annotator ?? reviews.at(-1)?.[0] ?? null,
    deleted_at: null,
    position_in_queue: position,
    reviews: reviews.map(([name, state, updatedAt]) => ({ annotator: name, state, updated_at: updatedAt })),
    lease,
  }
}
