import { choosePrice, isCatalogCost, isEffective } from '../../../contract/compare-prices'
import type { ReceivedCost } from '../../../contract/received-costs'
import { findCostInForce, groupBy, groupByProviderAndModel } from './costs-in-force'

/**
 * The state of a record at a moment. `current`: it prices calls. `superseded`: it did before. `scheduled`: it starts later.
 * `early`: it starts later, and prices calls already, because the model has no other price.
 * `shadowed`: it is the newest of the catalog at its provider, but the project has a price of its own for the model.
 */
export type CostState = 'current' | 'superseded' | 'scheduled' | 'early' | 'shadowed'

/** The states of records by id, at `asOf` (the wire's time form). `records` must hold all records of every model in it. */
export function costStates(records: readonly ReceivedCost[], asOf: string): Map<string, CostState> {
  const states = new Map<string, CostState>()
  for (const ofModel of groupBy(records, ({ llm_id }) => llm_id).values()) {
    const current = findPricing(ofModel, asOf)
    const newestOfCatalog = new Set(
      [...groupByProviderAndModel(ofModel.filter(isCatalogCost)).values()].map((group) => findCostInForce(group, asOf)),
    )
    for (const cost of ofModel) {
      if (cost.id === null) continue
      if (!isEffective(cost, asOf)) states.set(cost.id, current.has(cost) ? 'early' : 'scheduled')
      else states.set(cost.id, current.has(cost) ? 'current' : newestOfCatalog.has(cost) ? 'shadowed' : 'superseded')
    }
  }
  return states
}

/** The records of one model that price a call at `asOf`, whichever provider it names. */
function findPricing(ofModel: readonly ReceivedCost[], asOf: string): ReadonlySet<ReceivedCost> {
  const effective = ofModel.filter((cost) => isEffective(cost, asOf))
  const pricing = effective.length > 0 ? effective : ofModel
  const providers = new Set([undefined, ...pricing.map(({ provider_id: provider }) => provider ?? undefined)])
  return new Set(Array.from(providers, (provider) => choosePrice(pricing, asOf, provider)).filter((cost) => cost !== undefined))
}
