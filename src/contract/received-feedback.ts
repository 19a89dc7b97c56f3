import * as z from 'zod/mini'
import type { ClientEndpoint } from './endpoint'
import type { queryFeedback } from './feedback'

const FoundFeedback = z.object({ result: z.array(z.record(z.string(), z.unknown())) })

/** The operation `queryFeedback`, without the schema of its query language. */
export const receiveFeedback: ClientEndpoint<typeof queryFeedback.request, typeof FoundFeedback, false> = {
  method: 'POST',
  path: '/feedback/query',
  response: FoundFeedback,
  streams: false,
  places: {},
}
