import { withRequest } from '../../../contract/endpoint'
import { suggestFilterValues } from '../../../contract/filter-values'
import { findMatchingCalls as matchingEndpoint } from '../../../contract/matching-calls'
import { FindMatchingCalls } from '../../../contract/matching-calls-requests'
import { searchThreads as searchEndpoint } from '../../../contract/thread-search'
import { SearchThreads } from '../../../contract/thread-search-requests'
import type { TurnDeriver } from '../../derive/turn-deriver'
import { type Route, route, streamRoute } from '../../http/route'
import type { SpendDeriver } from '../../spend/spend-deriver'
import type { Store } from '../../store/store'
import { findMatchingCalls } from './find-matching-calls'
import { listFilterValues } from './list-filter-values'
import type { SearchDeriver } from './search-deriver'
import { searchThreads } from './search-threads'

type Deps = { store: Store; deriver: TurnDeriver; spends: SpendDeriver; searches: SearchDeriver }

export function threadSearchRoutes({ store, deriver, spends, searches }: Deps): Route[] {
  return [
    streamRoute(withRequest(searchEndpoint, SearchThreads), async function* threads(input, { reader }) {
      const { project_id: projectId } = input
      await Promise.all([deriver.flush(projectId, reader), spends.flush(projectId, reader), searches.flush(projectId, reader)])
      yield* searchThreads(store, input, reader)
    }),

    route(withRequest(matchingEndpoint, FindMatchingCalls), async (input, { reader }) => {
      await Promise.all([spends.flush(input.project_id, reader), searches.flush(input.project_id, reader)])
      return await findMatchingCalls(store, input, reader)
    }),

    // Nobody waits for the latest value while typing.
    route(suggestFilterValues, async (input, { reader }) => ({ values: await listFilterValues(store, input, reader) })),
  ]
}
