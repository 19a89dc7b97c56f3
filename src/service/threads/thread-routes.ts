import { queryThreadUsage } from '../../contract/thread-usage'
import { streamThreads } from '../../contract/threads'
import { type Route, route, streamRoute } from '../http/route'
import type { Store } from '../store/store'
import { listThreads } from './list-threads'
import type { TurnDeriver } from '../derive/turn-deriver'
import { sumThreadUsage } from './sum-thread-usage'

export function threadRoutes(store: Store, deriver: TurnDeriver): Route[] {
  return [
    streamRoute(streamThreads, async function* threads(input, { reader }) {
      await deriver.flush(input.project_id, reader)
      yield* listThreads(store, input, reader)
    }),

    route(queryThreadUsage, async ({ project_id, thread_ids }, { reader }) => ({
      usage: await sumThreadUsage(store, project_id, thread_ids, reader),
    })),
  ]
}
