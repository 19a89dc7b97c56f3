import * as z from 'zod/mini'
import type { QueryCalls } from '../../../contract/call-requests'
import type { ClientEndpoint } from '../../../contract/endpoint'
import { queryQueueItems, QueueItem } from '../../../contract/queue-items'
import { listedRows } from '../../client/row-source'

/** Each item is parsed by itself, so that an unreadable one hides no other. */
const receiveQueueItems = { ...queryQueueItems, response: z.object({ items: z.array(z.unknown()) }) }

export const itemRows = listedRows(receiveQueueItems, QueueItem, ({ items }) => items)

const CallPlace = z.object({
  id: z.string(),
  thread_id: z.nullish(z.string()),
  turn_id: z.nullish(z.string()),
})
/** Where a call is in its thread. */
export type CallPlace = z.infer<typeof CallPlace>

/** `queryCalls` for a request whose `columns` are `thread_id` and `turn_id`. */
export const queryCallPlaces: ClientEndpoint<typeof QueryCalls, typeof CallPlace, true> = {
  method: 'POST',
  path: '/calls/stream_query',
  response: CallPlace,
  streams: true,
  places: {},
}
