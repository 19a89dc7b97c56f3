import * as z from 'zod/mini'
import type { Endpoint } from './endpoint'
import { ReceivedDuration, ReceivedInstant, ReceivedNumber, ReceivedText } from './received'
import { streamThreads } from './threads'

/**
 * A thread as any service sends it. Null is unknown; a percentile is also null while no turn has finished. Without an id it
 * is no thread.
 */
export const ReceivedThread = z.object({
  thread_id: z.pipe(ReceivedText, z.string('A thread needs an id.')),
  turn_count: ReceivedNumber,
  start_time: ReceivedInstant,
  last_updated: ReceivedInstant,
  first_turn_id: ReceivedText,
  last_turn_id: ReceivedText,
  p50_turn_duration_ms: ReceivedDuration,
  p99_turn_duration_ms: ReceivedDuration,
})
export type ReceivedThread = z.infer<typeof ReceivedThread>

/** The operation `streamThreads`, for reading what any service sends. */
export const receiveThreads: Endpoint<typeof streamThreads.request, typeof ReceivedThread, true> = {
  ...streamThreads,
  response: ReceivedThread,
}
