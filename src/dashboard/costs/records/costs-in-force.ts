import { choosePrice, isEffective } from '../../../contract/compare-prices'
import type { ReceivedCost } from '../../../contract/received-costs'

/** The record in force of each provider and model at `asOf`. */
export function costsInForce(records: readonly ReceivedCost[], asOf: string): ReceivedCost[] {
  return [...groupByProviderAndModel(records).values()].flatMap((group) => findCostInForce(group, asOf) ?? [])
}

/** The effective record that prices calls at `asOf`; undefined where none is effective yet. */
export function findCostInForce(costs: readonly ReceivedCost[], asOf: string): ReceivedCost | undefined {
  return choosePrice(
    costs.filter((cost) => isEffective(cost, asOf)),
    asOf,
  )
}

export function groupByProviderAndModel(records: readonly ReceivedCost[]): Map<string, ReceivedCost[]> {
  const byModel = new Map<string, ReceivedCost[]>()
  for (const cost of records) {
    const key = JSON.stringify([cost.provider_id ?? null, cost.llm_id])
    const group = byModel.get(key)
    if (group) group.push(cost)
    else byModel.set(key, [cost])
  }
  return byModel
}
