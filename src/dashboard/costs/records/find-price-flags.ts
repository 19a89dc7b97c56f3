import { isCatalogCost } from '../../../contract/compare-prices'
import { toComparableValues } from '../../../contract/price-files/compare-with-stored'
import type { ReceivedCost } from '../../../contract/received-costs'
import { groupBy, groupByProviderAndModel } from './costs-in-force'
import { findReferencePrice, findUnitError, isAbovePlausible, priceFields, selectReferences } from './likely-unit-error'

/** What is likely wrong with prices in force. */
export const priceFlags = ['unit', 'high', 'inverted', 'duplicate', 'currency'] as const
export type PriceFlag = (typeof priceFlags)[number]

/**
 * The project's prices in force that are likely wrong, by the kind of error. Those of the catalog are checked where they are
 * made, and nobody can correct them here. `records` are all that have started.
 */
export function findPriceFlags(
  inForce: readonly ReceivedCost[],
  records: readonly ReceivedCost[],
): ReadonlyMap<PriceFlag, readonly ReceivedCost[]> {
  const own = inForce.filter((cost) => !isCatalogCost(cost))
  const catalog = records.filter(isCatalogCost)
  const byModel = groupBy([...catalog, ...own], ({ llm_id }) => llm_id)
  const duplicates = findDuplicates(records)
  const mainCurrency = findMainCurrency(inForce)
  const isFlagged: Record<PriceFlag, (cost: ReceivedCost) => boolean> = {
    unit: (cost) => hasUnitError(cost, selectReferences(byModel.get(cost.llm_id) ?? [], cost.id)),
    high: (cost) => priceFields.some(({ field, unitField }) => isAbovePlausible(cost[field], cost[unitField])),
    inverted: isInverted,
    duplicate: ({ id }) => duplicates.has(id),
    currency: (cost) => cost.prompt_token_cost_unit !== mainCurrency || cost.completion_token_cost_unit !== mainCurrency,
  }
  return new Map(priceFlags.map((flag) => [flag, own.filter(isFlagged[flag])]))
}

function hasUnitError(cost: ReceivedCost, others: readonly ReceivedCost[]): boolean {
  return priceFields.some(({ field, unitField }) => {
    const reference = findReferencePrice(others, field, cost[unitField] ?? '')
    return reference !== undefined && cost[field] !== null && findUnitError(cost[field], reference) !== 0
  })
}

/** Embeddings have a free completion; a cheap one is likely in the wrong field. */
function isInverted(cost: ReceivedCost): boolean {
  const { prompt_token_cost: prompt, completion_token_cost: completion } = cost
  const hasOneCurrency = cost.prompt_token_cost_unit === cost.completion_token_cost_unit
  return hasOneCurrency && prompt !== null && completion !== null && completion > 0 && completion < prompt
}

/**
 * The ids of the project's records that are there twice: of one provider, model, date and prices. Other prices of the same
 * date are a correction.
 */
function findDuplicates(records: readonly ReceivedCost[]): ReadonlySet<string | null> {
  const ids = new Set<string | null>()
  const own = records.filter((cost) => !isCatalogCost(cost))
  for (const group of groupByProviderAndModel(own).values()) {
    for (const same of groupBy(group, (cost) => `${cost.effective_date} ${toComparableValues(cost)}`).values()) {
      if (same.length > 1) for (const { id } of same) ids.add(id)
    }
  }
  return ids
}

function findMainCurrency(costs: readonly ReceivedCost[]): string | null {
  const groups = [...groupBy(costs, ({ prompt_token_cost_unit: unit }) => unit)]
  return groups.toSorted(([, left], [, right]) => right.length - left.length)[0]?.[0] ?? null
}
