import * as z from 'zod/mini'
import type { ClientEndpoint } from './endpoint'
import { ReceivedThread } from './received-threads'
import { FoundThread, searchThreads } from './thread-search'
import type { SearchThreads } from './thread-search-requests'

/** What a thread has of its calls. Only where a service finds threads by their calls. */
const ReceivedFoundThread = z.extend(FoundThread, ReceivedThread.shape)
export type ReceivedFoundThread = z.infer<typeof ReceivedFoundThread>

/** The operation `searchThreads`, for reading threads like those of `receiveThreads`. */
export const receiveFoundThreads: ClientEndpoint<typeof SearchThreads, typeof ReceivedFoundThread, true> = {
  ...searchThreads,
  response: ReceivedFoundThread,
}
