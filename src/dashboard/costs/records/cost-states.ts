import { isCatalogCost, isEffective } from '../../../contract/compare-prices'
import type { ReceivedCost } from '../../../contract/received-costs'
import { findCostInForce, groupByProviderAndModel } from './costs-in-force'

/**
 * The state of a record at a moment. `current`: it prices calls. `superseded`: it did before. `scheduled`: it starts later.
 * `shadowed`: it is the newest of the catalog, but the project has a price of its own.
 */
export type CostState = 'current' | 'superseded' | 'scheduled' | 'shadowed'

/** The states of records by id, at `asOf` (the wire's time form). `records` must hold all records of every model in it. */
export function costStates(records: readonly ReceivedCost[], asOf: string): Map<string, CostState> {
  const states = new Map<string, CostState>()
  for (const group of groupByProviderAndModel(records).values()) {
    const inForce = findCostInForce(group, asOf)
    const newestOfCatalog = inForce && isCatalogCost(inForce) ? undefined : findCostInForce(group.filter(isCatalogCost), asOf)
    for (const cost of group) {
      if (cost.id === null) continue
      if (!isEffective(cost, asOf)) states.set(cost.id, 'scheduled')
      else states.set(cost.id, cost === inForce ? 'current' : cost === newestOfCatalog ? 'shadowed' : 'superseded')
    }
  }
  return states
}
