import { queryThreadUsage } from '../../contract/thread-usage'
import { streamThreads } from '../../contract/threads'
import type { TurnDeriver } from '../derive/turn-deriver'
import { type RequestReader, type Route, route, streamRoute } from '../http/route'
import type { Store } from '../store/store'
import { listThreads } from './list-threads'
import { RankedThreads } from './ranking/ranked-threads'
import { sumThreadUsage } from './sum-thread-usage'

type ThreadRoutesDeps = {
  store: Store
  deriver: TurnDeriver
  /** Resolves when what all calls of the project spent is derived. */
  flushSpends: (projectId: string, reader: RequestReader) => Promise<void>
}

export function threadRoutes({ store, deriver, flushSpends }: ThreadRoutesDeps): Route[] {
  const ranked = new RankedThreads(store)
  deriver.watchThreads((projectId, threadId) => ranked.note(projectId, threadId))
  return [
    streamRoute(streamThreads, async function* threads(input, { reader }) {
      await deriver.flush(input.project_id, reader)
      const page = await ranked.read(input, reader)
      if (page) yield page
      else yield* listThreads(store, input, reader)
    }),

    route(queryThreadUsage, async ({ project_id, thread_ids }, { reader }) => {
      await flushSpends(project_id, reader)
      return { usage: await sumThreadUsage(store, project_id, thread_ids, reader) }
    }),
  ]
}
