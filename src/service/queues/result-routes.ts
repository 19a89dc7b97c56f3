import { readQueueResults } from '../../contract/queue-results'
import { type Route, route } from '../http/route'
import type { Store } from '../store/store'
import type { ItemTime } from './item-sql'
import type { ReadRefs } from './read-specs'
import { requireQueue } from './require-queue'
import { readResults } from './read-results'

type ResultDeps = { store: Store; readRefs: ReadRefs; now: () => Promise<ItemTime> }

export function resultRoutes({ store, readRefs, now }: ResultDeps): Route[] {
  return [
    route(readQueueResults, async ({ project_id: projectId, queue_id: queueId, ...page }, { reader }) => {
      const queue = await requireQueue(store, projectId, queueId, reader)
      return await readResults({ store, readRefs }, queue, page, await now(), reader)
    }),
  ]
}
