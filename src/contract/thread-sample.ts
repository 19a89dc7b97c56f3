import * as z from 'zod/mini'
import type { ClientEndpoint } from './endpoint'
import type { SampleThreads } from './thread-sample-requests'

const Stratum = z.object({
  /** The model; `slowest_tenth` or `others`; `failed` or `others`. A turn without a known model is in the stratum ''. */
  name: z.string(),
  turn_count: z.number(),
  sampled_count: z.number(),
})
export type Stratum = z.infer<typeof Stratum>

export const ThreadSample = z.object({
  /** Threads and turns that are meant, sampled or not. */
  thread_count: z.number(),
  turn_count: z.number(),
  /** Only of a stratified sample; the one with most turns first. */
  strata: z.array(Stratum),
  /** A turn is a call, so these are ids of calls. At most `maxItemsPerQueue`. */
  turn_ids: z.array(z.string()),
})
export type ThreadSample = z.infer<typeof ThreadSample>

/**
 * Counts the turns of the threads that a filter finds, and gives the ids of all or of a sample. The same seed gives the same
 * sample of the same turns, in whatever order they arrived: a sample has the turns with the lowest SHA-256 of
 * `<seed>:<turn id>`, in this order. A stratified sample takes from each stratum in turn, so that each gets an equal share as
 * long as it has turns. The first turns of a sample are the smaller sample with the same seed. A Spool extension.
 */
export const sampleThreads: ClientEndpoint<typeof SampleThreads, typeof ThreadSample, false> = {
  method: 'POST',
  path: '/threads/sample',
  response: ThreadSample,
  streams: false,
  places: {},
}
