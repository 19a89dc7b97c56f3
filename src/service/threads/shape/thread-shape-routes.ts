import { withRequest } from '../../../contract/endpoint'
import { readThreadShape, streamThreadHistory } from '../../../contract/thread-shape'
import { ReadThreadShape, StreamThreadHistory } from '../../../contract/thread-shape-requests'
import { type Route, route, streamRoute } from '../../http/route'
import type { Store } from '../../store/store'
import { flushSelection, type SelectionDerivers } from '../search/flush-selection'
import { readHistory } from './read-history'
import { readShape } from './read-shape'

type Deps = SelectionDerivers & { store: Store }

export function threadShapeRoutes({ store, ...derivers }: Deps): Route[] {
  return [
    route(withRequest(readThreadShape, ReadThreadShape), async (input, { reader }) => {
      await flushSelection(derivers, input, {}, reader)
      return await readShape(store, input, reader)
    }),

    streamRoute(withRequest(streamThreadHistory, StreamThreadHistory), async function* history(input, { reader }) {
      await flushSelection(derivers, input, { calls: input.include_errors ?? false }, reader)
      yield await readHistory(store, input, reader)
    }),
  ]
}
