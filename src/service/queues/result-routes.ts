import { readQueueResults } from '../../contract/queue-results'
import { type Route, route } from '../http/route'
import { LastValues } from '../lib/last-values'
import type { Store } from '../store/store'
import type { ItemTime } from './item-sql'
import type { QueueReader } from './queue-reader'
import type { ReadRefs } from './read-specs'
import { readResults, type ResultSummary } from './read-results'

type ResultDeps = { store: Store; queues: QueueReader; readRefs: ReadRefs; now: () => Promise<ItemTime> }

/** About 100 MB. */
const maxRememberedCalls = 500_000

export function resultRoutes({ now, queues, ...deps }: ResultDeps): Route[] {
  const summaries = new LastValues<ResultSummary>(maxRememberedCalls, ({ callIds }) => callIds.length + 1000)
  return [
    route(readQueueResults, async ({ project_id: projectId, queue_id: queueId, ...page }, { reader }) => {
      const queue = await queues.require(projectId, queueId, reader)
      return await readResults({ ...deps, summaries }, queue, page, await now(), reader)
    }),
  ]
}
