import { streamThreads } from '../../contract/threads'
import { type Route, streamRoute } from '../http/route'
import type { Store } from '../store/store'
import { listThreads } from './list-threads'
import type { ThreadSummary } from './thread-summary'

/** `POST /threads/stream_query`. */
export function threadRoutes(store: Store, summary: ThreadSummary): Route[] {
  return [
    streamRoute(streamThreads, async function* threads(input, { signal }) {
      await summary.flush(input.project_id)
      yield* listThreads(store, input, signal)
    }),
  ]
}
