import { isCatalogCost, isEffective } from '../../../contract/compare-prices'
import type { ReceivedCost } from '../../../contract/received-costs'

/** The ids of the catalog's prices of models for which the project has a price of its own at `asOf`: that one applies instead. */
export function findShadowed(records: readonly ReceivedCost[], asOf: string): ReadonlySet<string> {
  const ownModels = new Set<string | null>()
  for (const cost of records) if (!isCatalogCost(cost) && isEffective(cost, asOf)) ownModels.add(cost.llm_id)
  const shadowed = records.filter((cost) => isCatalogCost(cost) && ownModels.has(cost.llm_id))
  return new Set(shadowed.flatMap(({ id }) => id ?? []))
}
