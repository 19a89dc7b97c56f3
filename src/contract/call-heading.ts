import * as z from 'zod/mini'
import type { QueryCalls, QueryCallStats } from './call-queries'
import type { ClientEndpoint } from './endpoint'
import { Instant } from './instant'

/** What a page needs to name a call. `Call` has all of it, at the price of more of zod than the first script can carry. */
export const CallHeading = z.object({
  id: z.string(),
  op_name: z.string(),
  thread_id: z.optional(z.nullable(z.string())),
  started_at: Instant,
})
export type CallHeading = z.infer<typeof CallHeading>

/** As `readCalls`, for a request whose `columns` leave out the content. */
export const readCallHeadings: ClientEndpoint<typeof QueryCalls, typeof CallHeading, true> = {
  method: 'POST',
  path: '/calls/stream_query',
  response: CallHeading,
  streams: true,
  places: {},
}

const CallStats = z.object({ count: z.number() })

export const readCallStats: ClientEndpoint<typeof QueryCallStats, typeof CallStats, false> = {
  method: 'POST',
  path: '/calls/query_stats',
  response: CallStats,
  streams: false,
  places: {},
}
