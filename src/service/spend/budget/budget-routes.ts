import { readBudget, updateBudget } from '../../../contract/budget'
import { type Route, route } from '../../http/route'
import { defaultCostUnit } from '../../pricing/stored-cost'
import type { Store } from '../../store/store'
import type { SpendDeriver } from '../spend-deriver'
import { insertBudget } from './budget-store'
import { readBudgetState } from './read-budget-state'

export type BudgetDeps = { store: Store; spends: SpendDeriver; clock: () => number }

export function budgetRoutes({ store, spends, clock }: BudgetDeps): Route[] {
  return [
    route(readBudget, async ({ project_id: projectId, time_zone: timeZone = 'UTC' }, { reader }) => {
      await spends.flush(projectId, reader)
      return await readBudgetState(store, projectId, { nowMs: clock(), timeZone }, reader)
    }),

    route(updateBudget, async ({ project_id: projectId, amount = '', currency = defaultCostUnit }, { user, reader }) => {
      await insertBudget(store, { projectId, amount, currency, updatedBy: user.username }, clock(), reader)
      return {}
    }),
  ]
}
