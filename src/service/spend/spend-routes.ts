import { streamSpend } from '../../contract/spend'
import { type Route, streamRoute } from '../http/route'
import type { Store } from '../store/store'
import { querySpend } from './query-spend'
import type { SpendDeriver } from './spend-deriver'

export function spendRoutes(store: Store, spends: SpendDeriver): Route[] {
  return [
    streamRoute(streamSpend, async function* spend(input, { reader }) {
      await spends.flush(input.project_id)
      yield await querySpend(store, input, reader)
    }),
  ]
}
