import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint'
import { Instant } from './instant'
import {
  maxCallsPerRequest,
  maxDisplayFieldLength,
  maxDisplayFields,
  maxIdLength,
  maxOpNameLength,
  maxUsernameLength,
} from './limits'
import { ProjectId } from './project-id'
import { Count, sortBy, strictFilter, strictRequest } from './request'
import { boundedList, boundedText, optional } from './schema'

export const annotationStates = ['unstarted', 'in_progress', 'completed', 'skipped'] as const
const AnnotationState = z.enum(annotationStates)
export type AnnotationState = z.infer<typeof AnnotationState>

/** How long an item belongs to the person who got it, unless it is renewed. */
export const leaseMinutes = 10

/** What one person did with an item. */
const Review = z.object({ annotator: z.string(), state: z.enum(['in_progress', 'completed', 'skipped']), updated_at: Instant })

/**
 * A call to review. The fields of the call are those it had when it was added. `annotation_state` is that of the item:
 *
 * - `completed`: as many people judged it as it needs (`required_reviews`).
 * - `skipped`: it is closed with fewer judgements, because as many people as were to judge it skipped it, or because nobody
 *   who is assigned is left.
 * - `in_progress`: somebody has it, has marked it, or has judged it, and it needs more.
 * - `unstarted`: none of these.
 *
 * `reviews`, `required_reviews` and `lease` are Spool extensions.
 */
export const QueueItem = z.object({
  id: z.string(),
  project_id: z.string(),
  queue_id: z.string(),
  call_id: z.string(),
  call_started_at: Instant,
  call_ended_at: z.nullish(Instant),
  call_op_name: z.string(),
  call_trace_id: z.string(),
  display_fields: z.array(z.string()),
  added_by: z.nullish(z.string()),
  annotation_state: AnnotationState,
  /** Who changed the state last, or has the item now. */
  annotator_user_id: z.nullish(z.string()),
  created_at: Instant,
  created_by: z.string(),
  updated_at: Instant,
  deleted_at: z.nullish(Instant),
  /** From 1, in the order of the request, whatever its filter; null where the request does not ask for it. */
  position_in_queue: z.nullish(z.number()),
  /** By time. */
  reviews: z._default(z.array(Review), []),
  /** The queue's `reviews_per_item`, and one more where these reviewers disagreed. */
  required_reviews: z._default(z.number(), 1),
  /** Who has the item now, and until when. */
  lease: z._default(z.nullable(z.object({ annotator: z.string(), expires_at: Instant })), null),
})
export type QueueItem = z.infer<typeof QueueItem>

const inPath = { queue_id: boundedText(maxIdLength), project_id: ProjectId }
const itemInPath = { ...inPath, item_id: boundedText(maxIdLength) }
const queuePlace = { queue_id: 'path' } as const
const itemPlaces = { queue_id: 'path', item_id: 'path' } as const

/**
 * Adds calls in this order. Each is in a queue once: those that are there already, or are named twice, count as duplicates.
 * Calls that the project does not have are named in `unknown_call_ids` (a Spool extension), and the others are added.
 */
export const addQueueItems = defineEndpoint({
  path: '/annotation_queues/{queue_id}/items',
  request: strictRequest({
    ...inPath,
    call_ids: boundedList(boundedText(maxIdLength), maxCallsPerRequest),
    /** What a reviewer is shown of the call, such as `inputs.question`. */
    display_fields: boundedList(boundedText(maxDisplayFieldLength), maxDisplayFields),
  }),
  response: z.object({
    added_count: z.number(),
    duplicates: z.number(),
    unknown_call_ids: z._default(z.array(z.string()), []),
  }),
  places: queuePlace,
})

export const itemSortFields = ['call_started_at', 'call_op_name', 'created_at', 'updated_at'] as const

/** The items of a queue, in the order in which they were added unless sorted. */
export const queryQueueItems = defineEndpoint({
  path: '/annotation_queues/{queue_id}/items/query',
  request: strictRequest({
    ...inPath,
    filter: optional(
      strictFilter({
        id: optional(boundedText(maxIdLength)),
        call_id: optional(boundedText(maxIdLength)),
        call_op_name: optional(boundedText(maxOpNameLength)),
        call_trace_id: optional(boundedText(maxIdLength)),
        added_by: optional(boundedText(maxUsernameLength)),
        annotation_states: optional(boundedList(AnnotationState, annotationStates.length)),
        /** Who has the item now, or did something with it. A Spool extension, as the next two. */
        annotator: optional(boundedText(maxUsernameLength)),
        /** Who judged the item: who completed it. */
        completed_by: optional(boundedText(maxUsernameLength)),
        /** Whether its reviewers disagreed. */
        has_disagreement: optional(z.boolean()),
      }),
    ),
    sort_by: optional(sortBy(itemSortFields)),
    limit: Count,
    offset: Count,
    include_position: optional(z.boolean()),
  }),
  response: z.object({ items: z.array(QueueItem) }),
  places: queuePlace,
})

/**
 * Marks an item for the caller: in_progress, then completed or skipped; the same again changes nothing, and every other move
 * is refused (409). An item that somebody else has, or that needs no more reviews, is refused as well. `in_progress` leases it.
 * Answers are stored before, by `/feedback/create` with the `queue_id`: what counts are those of people who completed the item.
 */
export const updateItemProgress = defineEndpoint({
  path: '/annotation_queues/{queue_id}/items/{item_id}/progress',
  request: strictRequest({ ...itemInPath, annotation_state: AnnotationState }),
  response: z.object({ item: QueueItem }),
  places: itemPlaces,
})

/** The days that `closed_by_day` counts. */
export const closedDays = 7

const QueueStats = z.object({
  queue_id: z.string(),
  total_items: z.number(),
  completed_items: z.number(),
  /** Items that are open to the caller, those that others have now included: as `/next` counts them. A Spool extension, as all below. */
  open_count: z.optional(z.number()),
  /** Those of them that nobody else has now. */
  free_count: z.optional(z.number()),
  /** Judgements of people who completed an item. */
  review_count: z.optional(z.number()),
  /** Judgements that the open items still need, with one more for each on which people disagreed. */
  missing_review_count: z.optional(z.number()),
  /** Who has an item now. */
  active_annotators: z.optional(z.array(z.string())),
  /** How many items were closed in each of the last seven times 24 hours, the latest last. */
  closed_by_day: z.optional(z.array(z.number())),
  /** When the first item was closed; null where none is. */
  first_closed_at: z.nullish(Instant),
})
export type QueueStats = z.infer<typeof QueueStats>

/** For each queue how many items it has, and how many of them are closed: completed or skipped. Unknown queues have none. */
export const queryQueueStats = defineEndpoint({
  path: '/annotation_queues/stats',
  request: strictRequest({ project_id: ProjectId, queue_ids: boundedList(boundedText(maxIdLength), 1000) }),
  response: z.object({ stats: z.array(QueueStats) }),
})

/**
 * Leases the next item to the caller for ten minutes: the one that the caller has already, else the first that is open and
 * that nobody else has. Nobody gets an item that they have judged or skipped, unless they took the skip back. A Spool extension,
 * as `leaseQueueItem`.
 */
export const nextQueueItem = defineEndpoint({
  path: '/annotation_queues/{queue_id}/next',
  request: strictRequest(inPath),
  response: z.object({
    item: z.nullable(QueueItem),
    lease_expires_at: z.optional(Instant),
    /** Items that are open to the caller, with this one and those that others have now. */
    open_count: z.number(),
  }),
  places: queuePlace,
})

/**
 * Leases this item to the caller for ten minutes from now on, or renews the lease. With `undo_skip` also an item that the caller
 * has skipped: the skip does not count any more, as if it had never been. Without it a skip is final, as in W&B Weave.
 */
export const leaseQueueItem = defineEndpoint({
  path: '/annotation_queues/{queue_id}/items/{item_id}/lease',
  request: strictRequest({ ...itemInPath, undo_skip: optional(z.boolean()) }),
  response: z.object({ item: QueueItem, lease_expires_at: Instant }),
  places: itemPlaces,
})

/**
 * Ends the caller's lease of this item before its time, so that others get it at once. Without a lease nothing changes; an item
 * that somebody else has is refused (409). A Spool extension.
 */
export const releaseQueueItem = defineEndpoint({
  path: '/annotation_queues/{queue_id}/items/{item_id}/release',
  request: strictRequest(itemInPath),
  response: z.object({ item: QueueItem }),
  places: itemPlaces,
})
