import * as z from 'zod/mini'
import { maxIdLength, maxQueueDescriptionLength, maxQueueNameLength } from './limits'
import { boundedList, boundedText, optional } from './schema'
import { defineEndpoint, defineStream } from './endpoint'
import { Instant } from './instant'
import { nameOf } from './name'
import { ProjectId } from './project-id'
import { Count, sortBy, strictRequest } from './request'
import { maxScorerRefs, ScorerRef } from './scorer-ref'

export const queueSortFields = ['id', 'name', 'created_at', 'updated_at'] as const

export const QueueName = nameOf(maxQueueNameLength)

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
  }),
  response: z.object({ id: z.string() }),
})

/** Lists queues, newest first unless sorted. `name` is a case-insensitive substring without wildcards. */
export const streamQueues = defineStream({
  path: '/annotation_queues/query',
  request: strictRequest({
    project_id: ProjectId,
    name: optional(boundedText(maxQueueNameLength)),
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
