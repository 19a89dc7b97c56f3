import type { Cost } from '../../contract/costs'
import { findWinner, groupByProviderAndModel, hasStarted, isCatalogCost } from './costs-in-force'

/**
 * What a record is at a moment: `current` prices calls; `superseded` once did; `scheduled` starts later; `shadowed` is the
 * catalog's newest, but the project has a price of its own.
 */
export type CostState = 'current' | 'superseded' | 'scheduled' | 'shadowed'

/** The states of records by id, at `asOf` (the wire's time form). `records` must hold all records of every model in it. */
export function costStates(records: readonly Cost[], asOf: string): Map<string, CostState> {
  const states = new Map<string, CostState>()
  for (const group of groupByProviderAndModel(records).values()) {
    const started = group.filter((cost) => hasStarted(cost, asOf))
    const winner = findWinner(started)
    const newestOfCatalog = winner && isCatalogCost(winner) ? undefined : findWinner(started.filter(isCatalogCost))
    for (const cost of group) {
      if (cost.id === undefined) continue
      if (!hasStarted(cost, asOf)) states.set(cost.id, 'scheduled')
      else states.set(cost.id, cost === winner ? 'current' : cost === newestOfCatalog ? 'shadowed' : 'superseded')
    }
  }
  return states
}
