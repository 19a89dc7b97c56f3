import { queryThreadUsage } from '../../contract/thread-usage'
import { streamThreads } from '../../contract/threads'
import { type Route, route, streamRoute } from '../http/route'
import type { Store } from '../store/store'
import { listThreads } from './list-threads'
import type { TurnDeriver } from '../derive/turn-deriver'
import { threadUsage } from './thread-usage'

/** Threads, and what they used. */
export function threadRoutes(store: Store, summary: TurnDeriver): Route[] {
  return [
    streamRoute(streamThreads, async function* threads(input, { signal }) {
      await summary.flush(input.project_id)
      yield* listThreads(store, input, signal)
    }),

    route(queryThreadUsage, async ({ project_id, thread_ids }, { signal }) => {
      await summary.flush(project_id)
      return { usage: await threadUsage(store, project_id, thread_ids, { signal }) }
    }),
  ]
}
