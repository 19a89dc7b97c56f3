import { choosePrice, isEffective } from '../../contract/compare-prices'
import type { Cost } from '../../contract/costs'

/** The record in force of each provider and model at `asOf`. */
export function costsInForce(records: readonly Cost[], asOf: string): Cost[] {
  return [...groupByProviderAndModel(records).values()].flatMap((group) => findCostInForce(group, asOf) ?? [])
}

/** The effective record that prices calls at `asOf`; undefined where none is effective yet. */
export function findCostInForce(costs: readonly Cost[], asOf: string): Cost | undefined {
  return choosePrice(
    costs.filter((cost) => isEffective(cost, asOf)),
    asOf,
  )
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
