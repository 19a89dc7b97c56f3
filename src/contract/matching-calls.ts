import * as z from 'zod/mini'
import type { ClientEndpoint } from './endpoint'
import type { FindMatchingCalls } from './matching-calls-requests'

/** A response names no more calls. */
export const maxMatchingCalls = 200

const MatchingCalls = z.object({
  /** By start, the first 200, or fewer where their traces are large. A call that is below no turn of the thread has no `turn_id`. */
  calls: z.array(z.object({ id: z.string(), turn_id: z.nullable(z.string()) })),
  /** Of all. */
  count: z.number(),
  /** How many filters look at calls; each answer is one. */
  filters: z.number(),
  /** How many of them each of these calls meets. */
  filters_met: z.number(),
})
export type MatchingCalls = z.infer<typeof MatchingCalls>

/**
 * The calls for which a search finds a thread. Two filters may hold for two different calls. Where a call meets all filters that
 * look at calls, these are the calls that meet all; else those that meet the highest number of them. Filters that look at the
 * thread, and those for which there must be no such call (`has_errors: false`), name no calls. `thread_id` says which thread, and not
 * the filter's `thread_ids`. A Spool extension.
 */
export const findMatchingCalls: ClientEndpoint<typeof FindMatchingCalls, typeof MatchingCalls, false> = {
  method: 'POST',
  path: '/threads/matching_calls',
  response: MatchingCalls,
  streams: false,
  places: {},
}
