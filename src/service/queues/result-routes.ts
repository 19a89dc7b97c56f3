import { readQueueResults } from '../../contract/queue-results'
import { type Route, route } from '../http/route'
import { LastValues } from '../lib/last-values'
import type { Store } from '../store/store'
import type { ItemTime } from './item-sql'
import type { ReadRefs } from './read-specs'
import { requireQueue } from './require-queue'
import { readResults, type ResultSummary } from './read-results'

type ResultDeps = { store: Store; readRefs: ReadRefs; now: () => Promise<ItemTime> }

/** About 50 MB. */
const maxRememberedCalls = 500_000

export function resultRoutes({ now, ...deps }: ResultDeps): Route[] {
  const summaries = new LastValues<ResultSummary>(maxRememberedCalls, ({ callIds }) => callIds.length + 1000)
  return [
    route(readQueueResults, async ({ project_id: projectId, queue_id: queueId, ...page }, { reader }) => {
      const queue = await requireQueue(deps.store, projectId, queueId, reader)
      return await readResults({ ...deps, summaries }, queue, page, await now(), reader)
    }),
  ]
}
