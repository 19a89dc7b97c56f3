import * as z from 'zod/mini'
import { compareInstants, parseInstant } from '../../contract/instant'
import { annotationStates, closedDays, leaseMinutes, type QueueItem } from '../../contract/queue-items'
import { isNotDeleted } from '../store/merged-calls'
import { microsecondsToEngineTime } from '../store/engine-time'
import { engineTime, nullableEngineTime } from '../store/row-types'
import { dateTime, joinSql, type Sql, sql, uint64 } from '../store/sql'

/** A call in a queue, as it was added. */
export const AddedItemRow = z.object({
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
})
export type AddedItemRow = z.infer<typeof AddedItemRow>

/** What people did with an item, in any order. */
export const ItemStateRow = z.object({
  annotation_state: z.enum(annotationStates),
  reviews: z.array(z.tuple([z.string(), z.enum(['in_progress', 'completed', 'skipped']), engineTime])),
  required_reviews: z.number(),
  /** Who has the item, and until when. With several copies of the service leases that ended a moment ago are among them. */
  leases: z.array(z.tuple([z.string(), engineTime])),
  changed_at: engineTime,
})
export type ItemState = z.infer<typeof ItemStateRow>

const { changed_at: _, ...stateColumns } = ItemStateRow.shape
export const ItemRow = z.extend(AddedItemRow, { ...stateColumns, updated_at: engineTime })
export type ItemRow = z.infer<typeof ItemRow>

export const addedItemColumns = sql`id, project_id, queue_id, call_id, call_started_at, call_ended_at, call_op_name, call_trace_id,
  display_fields, added_by, created_at`

/** The columns of `ItemRow`. */
export const itemColumns = sql`${addedItemColumns}, updated_at, annotation_state, reviews, required_reviews, leases`

/**
 * When a state is asked for, in microseconds since 1970. Of leases, those count that end after `leasesFromUs`: that is before
 * now where copies of the service with other clocks may have given them.
 */
export type ItemTime = { nowUs: number; leasesFromUs: number }

/** Leases last ten minutes, and they are read for a minute more at most. */
const maxLeaseAgeUs = (leaseMinutes + 2) * 60_000_000

const dayUs = 24 * 60 * 60_000_000

type Marks = { projectId: string; queueIds: readonly string[]; itemId?: string | undefined; time?: ItemTime }

/**
 * `final_state` and `finished_at` of the marks of one person for one item. The final mark that came first counts: copies of the
 * service may each have stored one. Of somebody who took a skip back the latest counts.
 */
const finalColumns = sql`countIf(state = 'resumed') > 0 AS has_resumed,
    argMaxIf(state, marked_at, state IN ('completed', 'skipped', 'resumed')) AS latest_state,
    multiIf(NOT has_resumed, argMinIf(state, marked_at, state IN ('completed', 'skipped')),
      latest_state = 'resumed', '', latest_state) AS final_state,
    if(has_resumed, maxIf(marked_at, state IN ('completed', 'skipped')),
      minIf(marked_at, state IN ('completed', 'skipped'))) AS finished_at`

/** What each person did with each item, a row for each. Without `time`, no leases. */
function selectPeople({ projectId, queueIds, itemId, time }: Marks): Sql {
  const isItem = itemId === undefined ? sql`` : sql`AND item_id = ${itemId}`
  const from = time && dateTime(microsecondsToEngineTime(Math.max(0, time.nowUs - maxLeaseAgeUs)))
  const isRecent = from ? sql`OR marked_at > ${from}` : sql``
  return sql`(
  SELECT queue_id, item_id, any(call_id) AS call_id, annotator,
    ${finalColumns}, maxIf(marked_at, state = 'in_progress') AS begun_at,
    argMaxIf(lease_expires_at, marked_at, state IN ('leased', 'released', 'in_progress')) AS lease_end,
    max(disagreed_at) AS disagreed_at
  FROM queue_marks
  WHERE project_id = ${projectId} AND queue_id IN ${queueIds} ${isItem} AND (state NOT IN ('leased', 'released') ${isRecent})
  GROUP BY queue_id, item_id, annotator
)`
}

/** Who completed which item: the columns `item_id`, `call_id` and `annotator`. */
export function selectCompletions(projectId: string, queueId: string): Sql {
  const people = selectPeople({ projectId, queueIds: [queueId] })
  return sql`(SELECT item_id, call_id, annotator FROM ${people} AS people WHERE final_state = 'completed')`
}

/**
 * The figures of each person, those who finished most first: `annotator, completed_count, skipped_count, last_reviewed_at` and
 * `median_review_ms`, of the items completed: from when the person first had it; NULL where none was leased before.
 */
export function selectAnnotators(projectId: string, queueId: string): Sql {
  const isTimed = sql`final_state = 'completed' AND begun_at > toDateTime64(0, 6, 'UTC') AND begun_at <= finished_at`
  return sql`SELECT annotator, toUInt32(countIf(final_state = 'completed')) AS completed_count,
  toUInt32(countIf(final_state = 'skipped')) AS skipped_count, max(finished_at) AS last_reviewed_at,
  if(countIf(${isTimed}) = 0, NULL, quantileExactInclusiveIf(0.5)(
    (toUnixTimestamp64Micro(finished_at) - toUnixTimestamp64Micro(begun_at)) / 1000, ${isTimed})) AS median_review_ms
FROM (
  SELECT annotator, ${finalColumns}, minIf(marked_at, state IN ('leased', 'in_progress')) AS begun_at
  FROM queue_marks WHERE project_id = ${projectId} AND queue_id = ${queueId} GROUP BY item_id, annotator
)
WHERE final_state != '' GROUP BY annotator ORDER BY completed_count DESC, annotator`
}

/** How queues are reviewed, for rows with a `queue_id`. */
type Settings = {
  reviewsPerItem: Sql
  /** 0 for everybody. */
  assigneeCount: Sql
  /** Of `annotator`. */
  isAssignee: Sql
}

export type QueueSettings = { id: string; reviews_per_item: number; assignees: readonly string[] }

/** Of one queue as values, of several as lookups by their ids: a join would take ten times as long as what it joins. */
function toSettings(queues: readonly QueueSettings[]): Settings {
  const [queue] = queues
  if (queue && queues.length === 1) {
    const { reviews_per_item: reviewsPerItem, assignees } = queue
    return {
      reviewsPerItem: sql`${uint64(reviewsPerItem)}`,
      assigneeCount: sql`${uint64(assignees.length)}`,
      isAssignee: sql`has(${assignees}, annotator)`,
    }
  }
  const lookUp = (toValue: (each: QueueSettings) => number) =>
    sql`toUInt64(transform(queue_id, ${queues.map(({ id }) => id)}, ${queues.map((each) => String(toValue(each)))}, '0'))`
  return {
    reviewsPerItem: lookUp((each) => each.reviews_per_item),
    assigneeCount: lookUp(({ assignees }) => assignees.length),
    isAssignee: sql`concat(queue_id, ' ', annotator) IN ${queues.flatMap(({ id, assignees }) => assignees.map((name) => `${id} ${name}`))}`,
  }
}

/** What people did with one item: aggregates over its rows of `selectPeople`. */
function itemFigures({ isAssignee }: Settings, { nowUs }: ItemTime): Sql {
  return sql`countIf(final_state = 'completed') AS judged, countIf(final_state = 'skipped') AS skipped,
  countIf(final_state != '' AND ${isAssignee}) AS finished_assignees, max(disagreed_at) AS disagreed,
  countIf(final_state != '' OR begun_at > toDateTime64(0, 6, 'UTC')) AS marked,
  countIf(${isLeasedFrom(nowUs)}) AS leased`
}

/** Of a row of `selectPeople`: the person has the item. */
function isLeasedFrom(us: number): Sql {
  return sql`final_state = '' AND lease_end > ${dateTime(microsecondsToEngineTime(us))}`
}

/** The state of an item from its figures, as `QueueItem` says it. */
function itemState({ reviewsPerItem, assigneeCount }: Settings): Sql {
  return sql`toUInt32(${reviewsPerItem} + (disagreed = ${reviewsPerItem} AND
    (${assigneeCount} = 0 OR ${assigneeCount} > ${reviewsPerItem}))) AS required_reviews,
  multiIf(judged >= required_reviews, 'completed',
    skipped >= ${reviewsPerItem} OR (${assigneeCount} > 0 AND finished_assignees >= ${assigneeCount}), 'skipped',
    marked > 0 OR leased > 0, 'in_progress', 'unstarted') AS annotation_state`
}

/** The names of people with what they did, as `ItemStateRow` has them: aggregates over the rows of `selectPeople`. */
function itemPeople({ leasesFromUs }: ItemTime): Sql {
  return sql`max(greatest(begun_at, finished_at)) AS changed_at,
  groupArrayIf((annotator, if(final_state = '', 'in_progress', final_state), if(final_state = '', begun_at, finished_at)),
    final_state != '' OR begun_at > toDateTime64(0, 6, 'UTC')) AS reviews,
  groupArrayIf((annotator, lease_end), ${isLeasedFrom(leasesFromUs)}) AS leases`
}

/** One row: `ItemStateRow` of an item. Reads the marks of this item alone. */
export function selectItemState(projectId: string, queue: QueueSettings, itemId: string, time: ItemTime): Sql {
  const settings = toSettings([queue])
  const people = selectPeople({ projectId, queueIds: [queue.id], itemId, time })
  return sql`SELECT changed_at, reviews, leases, ${itemState(settings)}
FROM (SELECT ${itemFigures(settings, time)}, ${itemPeople(time)} FROM ${people})`
}

/** The single row of `selectOpenItems`. `ids`: all open items in queue order. `marked`: the state of each one with a lease or a review. */
export const OpenItemsRow = z.object({
  ids: z.array(z.string()),
  marked: z.array(
    z.tuple([
      z.string(),
      ItemStateRow.shape.annotation_state,
      ItemStateRow.shape.reviews,
      ItemStateRow.shape.required_reviews,
      ItemStateRow.shape.leases,
      engineTime,
    ]),
  ),
})

export function selectOpenItems(projectId: string, queue: QueueSettings, time: ItemTime): Sql {
  return sql`SELECT arrayMap(item -> item.2, arraySort(groupArray((created_at, id)))) AS ids,
  groupArrayIf((id, annotation_state, reviews, required_reviews, leases, updated_at), annotation_state != 'unstarted') AS marked
FROM ${selectItems(projectId, [queue], time)} WHERE annotation_state NOT IN ('completed', 'skipped')`
}

/** The items of queues with their state, as a subquery with the columns of `ItemRow`. Items whose call was deleted are left out. */
export function selectItems(projectId: string, queues: readonly QueueSettings[], time: ItemTime): Sql {
  const queueIds = queues.map(({ id }) => id)
  const settings = toSettings(queues)
  const isOfQueues = sql`project_id = ${projectId} AND queue_id IN ${queueIds}`
  const isCallThere = isNotDeleted(sql`call_id`, projectId, sql`SELECT call_id FROM queue_items WHERE ${isOfQueues}`)
  return sql`(
  SELECT ${addedItemColumns}, reviews, leases, greatest(created_at, changed_at) AS updated_at, disagreed > 0 AS has_disagreement,
    ${itemState(settings)}
  FROM (SELECT ${addedItemColumns} FROM queue_items FINAL WHERE ${isOfQueues} AND ${isCallThere}) AS items
  LEFT JOIN (
    SELECT item_id, ${itemFigures(settings, time)}, ${itemPeople(time)}
    FROM ${selectPeople({ projectId, queueIds, time })} GROUP BY queue_id, item_id
  ) AS marks ON marks.item_id = items.id
)`
}

/**
 * How far queues are, in a row for each that has marks: `closed`, `reviewed` (open items that this person has judged or
 * skipped), `taken` (other open items that somebody else has), `reviews` (judgements), `missing_reviews` (those that open items
 * with marks still need), `marked` (items with marks), `active` (who has an item), `first_closed_at` and `closed_by_day`, the
 * latest last. Marks alone are read, because an item without any is open.
 */
export function selectProgress(projectId: string, queues: readonly QueueSettings[], annotator: string, time: ItemTime): Sql {
  const queueIds = queues.map(({ id }) => id)
  const settings = toSettings(queues)
  const byDay = [...Array(closedDays).keys()].map((index) => {
    const agoUs = (days: number) => dateTime(microsecondsToEngineTime(Math.max(0, time.nowUs - days * dayUs)))
    return sql`countIf(is_closed AND closed_at > ${agoUs(closedDays - index)} AND closed_at <= ${agoUs(closedDays - index - 1)})`
  })
  return sql`SELECT queue_id, toUInt32(countIf(is_closed)) AS closed, toUInt32(countIf(NOT is_closed AND is_reviewed)) AS reviewed,
  toUInt32(countIf(NOT is_closed AND NOT is_reviewed AND holder NOT IN ('', ${annotator}))) AS taken,
  toUInt32(sum(judged)) AS reviews, toUInt32(sumIf(required_reviews - judged, NOT is_closed)) AS missing_reviews,
  toUInt32(count()) AS marked,
  arraySort(groupUniqArrayIf(holder, holder != '')) AS active, minIf(closed_at, is_closed) AS first_closed_at,
  arrayMap(each -> toUInt32(each), [${joinSql(byDay, ', ')}]) AS closed_by_day
FROM (
  SELECT queue_id, closed_at, is_reviewed, holder, judged, ${itemState(settings)}, annotation_state IN ('completed', 'skipped') AS is_closed
  FROM (
    SELECT queue_id, ${itemFigures(settings, time)}, max(finished_at) AS closed_at,
      countIf(annotator = ${annotator} AND final_state != '') > 0 AS is_reviewed, anyIf(annotator, ${isLeasedFrom(time.nowUs)}) AS holder
    FROM ${selectPeople({ projectId, queueIds, time })} AS people
    WHERE ${isNotDeleted(sql`call_id`, projectId)} GROUP BY queue_id, item_id
  )
) GROUP BY queue_id`
}

/** A row as the wire has it. `nowUs`: a lease that has ended is nobody's. */
export function toQueueItem(row: ItemRow, nowUs: number, position: number | null = null): QueueItem {
  const { reviews, leases, added_by: addedBy, ...item } = row
  const sorted = reviews.toSorted(([, , left], [, , right]) => compareInstants(left, right))
  const holder = leases.find(([, expiresAt]) => toMicroseconds(expiresAt) > nowUs)
  return {
    ...item,
    added_by: addedBy,
    created_by: addedBy,
    annotator_user_id: holder?.[0] ?? sorted.at(-1)?.[0] ?? null,
    deleted_at: null,
    position_in_queue: position,
    reviews: sorted.map(([annotator, state, updatedAt]) => ({ annotator, state, updated_at: updatedAt })),
    lease: holder ? { annotator: holder[0], expires_at: holder[1] } : null,
  }
}

export function toMicroseconds(instant: string): number {
  const microseconds = parseInstant(instant)
  return typeof microseconds === 'bigint' ? Number(microseconds) : 0
}
