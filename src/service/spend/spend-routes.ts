import { streamSpend } from '../../contract/spend'
import { type Route, streamRoute } from '../http/route'
import type { Store } from '../store/store'
import { querySpend } from './query-spend'
import type { SpendDeriver } from './spend-deriver'

const groupsPerPart = 1000

export function spendRoutes(store: Store, spends: SpendDeriver): Route[] {
  return [
    streamRoute(streamSpend, async function* spend(input, { reader }) {
      await spends.flush(input.project_id, reader)
      const groups = await querySpend(store, input, reader)
      // A part at a time becomes text.
      for (let start = 0; start < groups.length; start += groupsPerPart) yield groups.slice(start, start + groupsPerPart)
    }),
  ]
}
