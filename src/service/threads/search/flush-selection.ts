import type { TurnDeriver } from '../../derive/turn-deriver'
import type { RequestReader } from '../../http/route'
import type { SpendDeriver } from '../../spend/spend-deriver'
import type { SearchDeriver } from './search-deriver'
import type { Selection } from './search-request'

export type SelectionDerivers = { deriver: TurnDeriver; spends: SpendDeriver; searches: SearchDeriver }

type Needs = { calls?: boolean; spends?: boolean }

/**
 * Waits for what a filter looks at, and for what is needed beside it. Words and spends are derived long after the turns, so
 * only who looks at them waits.
 */
export async function flushSelection(
  { deriver, spends, searches }: SelectionDerivers,
  { project_id: projectId, filter }: Selection,
  needs: Needs,
  reader: RequestReader,
): Promise<void> {
  const isJudged = filter?.is_judged !== undefined || filter?.answers?.length
  const isOfCalls =
    isJudged ||
    needs.calls ||
    filter?.text ||
    filter?.has_errors !== undefined ||
    filter?.op_names?.length ||
    filter?.users?.length
  const isOfSpend = needs.spends || filter?.models?.length || filter?.min_cost !== undefined
  await Promise.all([
    deriver.flush(projectId, reader),
    isOfCalls && searches.flush(projectId, reader),
    isOfSpend && spends.flush(projectId, reader),
  ])
}
