import * as z from 'zod/mini'
import type { QueryCalls, ReadCall } from './call-requests'
import { PayloadParts } from './calls'
import type { ClientEndpoint } from './endpoint'
import { ReceivedInstant, ReceivedText } from './received'

/** A call as any service sends it. Null is unknown. Without an id it is no call. */
export const ReceivedCall = z.object({
  id: z.pipe(ReceivedText, z.string('A call needs an id.')),
  trace_id: ReceivedText,
  parent_id: ReceivedText,
  thread_id: ReceivedText,
  turn_id: ReceivedText,
  op_name: ReceivedText,
  display_name: ReceivedText,
  started_at: ReceivedInstant,
  ended_at: ReceivedInstant,
  exception: ReceivedText,
  wb_user_id: ReceivedText,
  attributes: z.optional(z.unknown()),
  inputs: z.optional(z.unknown()),
  output: z.optional(z.unknown()),
  summary: z.optional(z.unknown()),
})
export type ReceivedCall = z.infer<typeof ReceivedCall>

/** The operation `queryCalls`, for reading what any service sends. */
export const receiveCalls: ClientEndpoint<typeof QueryCalls, typeof ReceivedCall, true> = {
  method: 'POST',
  path: '/calls/stream_query',
  response: ReceivedCall,
  streams: true,
  places: {},
}

const OneReceivedCall = z.object({ call: z.nullable(ReceivedCall), parts: z.optional(PayloadParts) })

/** The operation `readCall`, for reading what any service sends. One that knows no ranges sends the whole call, without `parts`. */
export const receiveCall: ClientEndpoint<typeof ReadCall, typeof OneReceivedCall, false> = {
  method: 'POST',
  path: '/call/read',
  response: OneReceivedCall,
  streams: false,
  places: {},
}
