import { isCatalogCost } from '../../../contract/compare-prices'
import type { ReceivedCost } from '../../../contract/received-costs'

/** The prices of a record, with the field of their currency. */
export const priceFields = [
  { field: 'prompt_token_cost', unitField: 'prompt_token_cost_unit', label: 'Prompt' },
  { field: 'completion_token_cost', unitField: 'completion_token_cost_unit', label: 'Completion' },
  { field: 'cache_read_input_token_cost', unitField: 'prompt_token_cost_unit', label: 'Cached read' },
  { field: 'cache_creation_input_token_cost', unitField: 'prompt_token_cost_unit', label: 'Cache write' },
] as const
export type PriceField = (typeof priceFields)[number]['field']

// Currencies of about the worth of a dollar. In others, such as KRW, many prices are above the limit.
const limitedCurrencies = new Set(['USD', 'EUR', 'GBP', 'CHF', 'CAD', 'AUD'])
const maxPlausiblePrice = 0.01

/** Whether a price is higher than any on the market: 10,000 USD for a million tokens. */
export function isAbovePlausible(price: number | null | undefined, currency: string | null | undefined): boolean {
  return (price ?? 0) > maxPlausiblePrice && limitedCurrencies.has((currency ?? '').toUpperCase())
}

/**
 * By which power of ten a price is likely wrong: 3 where it is about 1,000 times the reference price, -6 where it is about a
 * millionth of it. Such errors come from prices per 1,000 or per million tokens in a field that is per token. 0 where it is
 * plausible: providers sell the same model for up to ten times each other's price.
 *
 * @example findUnitError(0.0025, 0.0000025) // 3
 */
export function findUnitError(price: number, reference: number): number {
  if (price <= 0 || reference <= 0) return 0
  // Without the addition it could be -0.
  return Math.round(Math.log10(price / reference) / 3) * 3 + 0
}

/**
 * The records of its model that a price is compared with: those of the catalog, which are checked, or else all others. An
 * earlier wrong price of the project must not be the measure of its correction.
 */
export function selectReferences(ofModel: readonly ReceivedCost[], id: string | null | undefined): readonly ReceivedCost[] {
  const others = ofModel.filter((cost) => cost.id !== id)
  const catalog = others.filter(isCatalogCost)
  return catalog.length > 0 ? catalog : others
}

/** The middle one of the prices above 0 in a currency; undefined where there is none. */
export function findReferencePrice(costs: readonly ReceivedCost[], field: PriceField, currency: string): number | undefined {
  const { unitField } = priceFields.find((each) => each.field === field) ?? priceFields[0]
  const prices = costs
    .flatMap((cost) => (cost[unitField] === currency && cost[field] !== null && cost[field] > 0 ? [cost[field]] : []))
    .toSorted((left, right) => left - right)
  return prices[Math.floor(prices.length / 2)]
}
