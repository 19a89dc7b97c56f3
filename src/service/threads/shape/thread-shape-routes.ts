import { withRequest } from '../../../contract/endpoint'
import { readThreadShape, streamThreadHistory } from '../../../contract/thread-shape'
import { ReadThreadShape, StreamThreadHistory } from '../../../contract/thread-shape-requests'
import type { TurnDeriver } from '../../derive/turn-deriver'
import { type RequestReader, type Route, route, streamRoute } from '../../http/route'
import type { SpendDeriver } from '../../spend/spend-deriver'
import type { Store } from '../../store/store'
import type { SearchDeriver } from '../search/search-deriver'
import type { Selection } from '../search/search-request'
import { readHistory } from './read-history'
import { readShape } from './read-shape'

type Deps = { store: Store; deriver: TurnDeriver; spends: SpendDeriver; searches: SearchDeriver }

export function threadShapeRoutes({ store, deriver, spends, searches }: Deps): Route[] {
  /** Words and spends are derived long after the turns, so only who looks at them waits. */
  const flush = async ({ project_id: projectId, filter }: Selection, reader: RequestReader, needsCalls: boolean) => {
    const isOfCalls =
      needsCalls || filter?.text || filter?.has_errors !== undefined || filter?.op_names?.length || filter?.users?.length
    const isOfSpend = filter?.models?.length || filter?.min_cost !== undefined
    await Promise.all([
      deriver.flush(projectId, reader),
      isOfCalls && searches.flush(projectId, reader),
      isOfSpend && spends.flush(projectId, reader),
    ])
  }
  return [
    route(withRequest(readThreadShape, ReadThreadShape), async (input, { reader }) => {
      await flush(input, reader, false)
      return await readShape(store, input, reader)
    }),

    streamRoute(withRequest(streamThreadHistory, StreamThreadHistory), async function* history(input, { reader }) {
      await flush(input, reader, input.include_errors ?? false)
      yield await readHistory(store, input, reader)
    }),
  ]
}
