import { catalogIdPrefix } from '../../contract/cost-fields'
import type { Cost } from '../../contract/costs'

/** The record in force of each provider and model at `asOf`: project before catalog, then newest start, then greatest id. */
export function costsInForce(records: readonly Cost[], asOf: string): Cost[] {
  return [...groupByProviderAndModel(records).values()].flatMap(
    (group) => findWinner(group.filter((cost) => hasStarted(cost, asOf))) ?? [],
  )
}

export function isCatalogCost(cost: Cost): boolean {
  return cost.id?.startsWith(catalogIdPrefix) ?? false
}

export function groupByProviderAndModel(records: readonly Cost[]): Map<string, Cost[]> {
  const byModel = new Map<string, Cost[]>()
  for (const cost of records) {
    const key = JSON.stringify([cost.provider_id ?? null, cost.llm_id])
    const group = byModel.get(key)
    if (group) group.push(cost)
    else byModel.set(key, [cost])
  }
  return byModel
}

export function findWinner(costs: readonly Cost[]): Cost | undefined {
  let best: Cost | undefined
  for (const cost of costs) if (!best || beats(cost, best)) best = cost
  return best
}

function beats(cost: Cost, other: Cost): boolean {
  if (isCatalogCost(cost) !== isCatalogCost(other)) return isCatalogCost(other)
  const [start, otherStart] = [sortableStart(cost), sortableStart(other)]
  // Ids made later are greater: of two records with one start, the later one is the correction.
  return start === otherStart ? (cost.id ?? '') > (other.id ?? '') : start > otherStart
}

export function hasStarted(cost: Cost, asOf: string): boolean {
  return sortableStart(cost) <= sortable(asOf)
}

/** No start counts as since ever. */
function sortableStart(cost: Cost): string {
  return cost.effective_date ? sortable(cost.effective_date) : ''
}

/** Without its `Z` the wire's form sorts as text: `…00` before `…00.000001`. */
function sortable(instant: string): string {
  return instant.slice(0, -1)
}
