import * as z from 'zod/mini'
import { maxFilterValues, maxThreadIdLength } from './limits'
import { boundedList, boundedText, optional } from './schema'
import { defineStream } from './endpoint'
import { Instant } from './instant'
import { ProjectId } from './project-id'
import { Count, sortBy, strictRequest } from './request'

/**
 * A thread with figures of its turns. Durations are in milliseconds, with microseconds as the fraction, of finished turns.
 * The percentiles are exact, interpolated linearly at rank (n-1)q, and null while no turn has finished.
 */
export const Thread = z.object({
  thread_id: z.string(),
  turn_count: z.number(),
  start_time: Instant,
  last_updated: Instant,
  first_turn_id: z.nullable(z.string()),
  last_turn_id: z.nullable(z.string()),
  p50_turn_duration_ms: z.nullable(z.number()),
  p99_turn_duration_ms: z.nullable(z.number()),
})
export type Thread = z.infer<typeof Thread>

/** Threads are sorted by every column except the ids of turns. */
export const threadSortFields = z.keyof(z.omit(Thread, { first_turn_id: true, last_turn_id: true })).options

/** What threads can be sorted by beside that, where a service knows their calls: figures of all calls of their turns. */
export const callSortFields = ['error_count', 'total_tokens', 'total_cost'] as const

/** Lists threads. The bounds of `filter` are exclusive; only turns that start between them count. */
export const streamThreads = defineStream({
  path: '/threads/stream_query',
  request: strictRequest({
    project_id: ProjectId,
    filter: optional(
      z.strictObject({
        after_datetime: optional(Instant),
        before_datetime: optional(Instant),
        thread_ids: optional(boundedList(boundedText(maxThreadIdLength), maxFilterValues)),
      }),
    ),
    limit: Count,
    offset: Count,
    sort_by: optional(sortBy(threadSortFields)),
  }),
  response: Thread,
})
