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
  return groupBy(records, (cost) => JSON.stringify([cost.provider_id ?? null, cost.llm_id]))
}

/** Map.groupBy() of ES2024. */
export function groupBy<Item, Key>(items: readonly Item[], toKey: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = toKey(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
