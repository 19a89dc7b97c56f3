import * as z from 'zod/mini'
import type { ClientEndpoint } from './endpoint'
import type { FindMatchingCalls } from './matching-calls-requests'

/** A response names no more calls. */
export const maxMatchingCalls = 200

const MatchingCalls = z.object({
  /** By start, the first 200. A call that is below no turn of the thread has no `turn_id`. */
  calls: z.array(z.object({ id: z.string(), turn_id: z.nullable(z.string()) })),
  /** Of all. */
  count: z.number(),
})
export type MatchingCalls = z.infer<typeof MatchingCalls>

/**
 * The calls for which a search finds a thread. Two filters may hold for two different calls. Where a call meets all filters that
 * look at calls, these are the calls that meet all; else those that meet the highest number of them. Filters that look at the
 * thread, and those for which there must be no such call (`has_errors: false`), name no calls. A Spool extension.
 */
export const findMatchingCalls: ClientEndpoint<typeof FindMatchingCalls, typeof MatchingCalls, false> = {
  method: 'POST',
  path: '/threads/matching_calls',
  response: MatchingCalls,
  streams: false,
  places: {},
}
