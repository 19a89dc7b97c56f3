import * as z from 'zod/mini'
import { maxAssignees, maxIdLength, maxQueueDescriptionLength, maxQueueNameLength, maxUsernameLength } from './limits'
import { boundedList, boundedText, optional, refineAs } from './schema'
import { defineEndpoint, defineStream } from './endpoint'
import { Instant } from './instant'
import { nameOf } from './name'
import { ProjectId } from './project-id'
import { Count, sortBy, strictRequest } from './request'
import { maxScorerRefs, ScorerRef } from './scorer-ref'

export const queueSortFields = ['id', 'name', 'created_at', 'updated_at'] as const

export const QueueName = nameOf(maxQueueNameLength)

/** How many different people judge an item. A Spool extension. */
export const ReviewsPerItem = z
  .number()
  .check(
    refineAs<number>(
      'value_error',
      (count) => Number.isInteger(count) && count >= 1 && count <= 5,
      'Must be a whole number from 1 to 5.',
    ),
  )

export const Assignee = boundedText(maxUsernameLength).check(
  refineAs<string>('string_too_short', (username) => username !== '', 'A username is required.'),
)

/** Who may review, by username; nobody named: everybody who may see the project. A Spool extension. */
export const Assignees = boundedList(Assignee, maxAssignees)

/**
 * Why no item of a queue could ever be complete; undefined where it can.
 *
 * @example describeMissingAssignees({ reviews_per_item: 2, assignees: ['ann'] })
 */
export function describeMissingAssignees({
  reviews_per_item: count,
  assignees,
}: {
  reviews_per_item: number
  assignees: readonly string[]
}): string | undefined {
  if (assignees.length === 0 || assignees.length >= count) return undefined
  return `Each item needs ${count} different people, but only ${assignees.length} are assigned. Assign more, nobody (for everybody), or lower reviews_per_item.`
}

/** A queue of turns to review against scorers. `scorer_refs` keep the order and text of the request. */
export const Queue = z.object({
  id: z.string(),
  project_id: z.string(),
  name: z.string(),
  description: z.string(),
  scorer_refs: z.array(z.string()),
  created_at: Instant,
  created_by: z.nullable(z.string()),
  updated_at: Instant,
  deleted_at: z.nullable(Instant),
  reviews_per_item: z._default(z.number(), 1),
  assignees: z._default(z.array(z.string()), []),
  /** Out of the way: listed only where asked for, and not open for review. Absent where a service cannot archive. */
  archived: z.optional(z.boolean()),
})
export type Queue = z.infer<typeof Queue>

/** Creates a queue. The same `Idempotency-Key` header and body within 24 hours return the id of the first request. */
export const createQueue = defineEndpoint({
  path: '/annotation_queues',
  request: strictRequest({
    project_id: ProjectId,
    name: QueueName,
    scorer_refs: boundedList(ScorerRef, maxScorerRefs),
    description: z._default(boundedText(maxQueueDescriptionLength), ''),
    reviews_per_item: optional(ReviewsPerItem),
    assignees: optional(Assignees),
  }),
  response: z.object({ id: z.string() }),
})

/**
 * Lists queues, newest first unless sorted. `name` is a case-insensitive substring without wildcards. `archived` (a Spool
 * extension) lists the archived queues; without it, the others.
 */
export const streamQueues = defineStream({
  path: '/annotation_queues/query',
  request: strictRequest({
    project_id: ProjectId,
    name: optional(boundedText(maxQueueNameLength)),
    archived: optional(z.boolean()),
    sort_by: optional(sortBy(queueSortFields)),
    limit: Count,
    offset: Count,
  }),
  response: Queue,
})

export const readQueue = defineEndpoint({
  method: 'GET',
  path: '/annotation_queues/{queue_id}',
  request: strictRequest({ queue_id: boundedText(maxIdLength), project_id: ProjectId }),
  response: z.object({ queue: Queue }),
  places: { queue_id: 'path', project_id: 'query' },
})

/** Changes what is named and keeps the rest. */
export const updateQueue = defineEndpoint({
  method: 'PUT',
  path: '/annotation_queues/{queue_id}',
  request: strictRequest({
    queue_id: boundedText(maxIdLength),
    project_id: ProjectId,
    name: optional(QueueName),
    description: optional(boundedText(maxQueueDescriptionLength)),
    scorer_refs: optional(boundedList(ScorerRef, maxScorerRefs)),
    reviews_per_item: optional(ReviewsPerItem),
    assignees: optional(Assignees),
    archived: optional(z.boolean()),
  }),
  response: z.object({ queue: Queue }),
  places: { queue_id: 'path' },
})

/** Hides a queue with its items. What people answered stays as feedback on the calls. */
export const deleteQueue = defineEndpoint({
  method: 'DELETE',
  path: '/annotation_queues/{queue_id}',
  request: strictRequest({ queue_id: boundedText(maxIdLength), project_id: ProjectId }),
  response: z.object({ queue: Queue }),
  places: { queue_id: 'path', project_id: 'query' },
})

/** Undoes a deletion: the queue is as it was, with its items and what people did with them. A Spool extension. */
export const restoreQueue = defineEndpoint({
  path: '/annotation_queues/{queue_id}/restore',
  request: strictRequest({ queue_id: boundedText(maxIdLength), project_id: ProjectId }),
  response: z.object({ queue: Queue }),
  places: { queue_id: 'path' },
})
