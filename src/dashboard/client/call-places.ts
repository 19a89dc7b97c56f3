import * as z from 'zod/mini'
import type { QueryCalls } from '../../contract/call-requests'
import type { ClientEndpoint } from '../../contract/endpoint'

const CallPlace = z.object({
  id: z.string(),
  thread_id: z.nullish(z.string()),
  turn_id: z.nullish(z.string()),
})
/** Where a call is in its thread. */
export type CallPlace = z.infer<typeof CallPlace>

/** `queryCalls` for a request whose `columns` are `placeColumns`. */
export const queryCallPlaces: ClientEndpoint<typeof QueryCalls, typeof CallPlace, true> = {
  method: 'POST',
  path: '/calls/stream_query',
  response: CallPlace,
  streams: true,
  places: {},
}
export const placeColumns = ['thread_id', 'turn_id']
