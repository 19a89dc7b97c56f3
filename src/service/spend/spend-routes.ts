import { streamSpend } from '../../contract/spend'
import { type Route, streamRoute } from '../http/route'
import type { Store } from '../store/store'
import { querySpend } from './query-spend'

export function spendRoutes(store: Store): Route[] {
  return [
    streamRoute(streamSpend, async function* spend(input, { reader }) {
      yield await querySpend(store, input, reader)
    }),
  ]
}
