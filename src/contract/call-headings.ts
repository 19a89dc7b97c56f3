import * as z from 'zod/mini'
import type { QueryCalls, QueryCallStats } from './call-requests'
import type { ClientEndpoint } from './endpoint'
import { Instant } from './instant'

/** The fields by which a page names a call. `Call` has more, but its schema would bring more of zod into the first script. */
export const CallHeading = z.object({
  id: z.string(),
  op_name: z.string(),
  thread_id: z.optional(z.nullable(z.string())),
  started_at: Instant,
})
export type CallHeading = z.infer<typeof CallHeading>

/** `queryCalls` for a request whose `columns` leave out the content. */
export const queryCallHeadings: ClientEndpoint<typeof QueryCalls, typeof CallHeading, true> = {
  method: 'POST',
  path: '/calls/stream_query',
  response: CallHeading,
  streams: true,
  places: {},
}

const CallStats = z.object({ count: z.number() })

/** How many calls `queryCalls` would return. */
export const queryCallStats: ClientEndpoint<typeof QueryCallStats, typeof CallStats, false> = {
  method: 'POST',
  path: '/calls/query_stats',
  response: CallStats,
  streams: false,
  places: {},
}
