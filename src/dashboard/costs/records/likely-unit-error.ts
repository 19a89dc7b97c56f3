import type { ReceivedCost } from '../../../contract/received-costs'

/** The prices of a record, with the field of their currency. */
export const priceFields = [
  { field: 'prompt_token_cost', unitField: 'prompt_token_cost_unit', label: 'Prompt' },
  { field: 'completion_token_cost', unitField: 'completion_token_cost_unit', label: 'Completion' },
  { field: 'cache_read_input_token_cost', unitField: 'prompt_token_cost_unit', label: 'Cached read' },
  { field: 'cache_creation_input_token_cost', unitField: 'prompt_token_cost_unit', label: 'Cache write' },
] as const
export type PriceField = (typeof priceFields)[number]['field']

/** Higher than any price on the market, per token: 10,000 for a million tokens. */
export const maxPlausiblePrice = 0.01

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

/** The middle one of the prices above 0 in a currency; undefined where there is none. */
export function findReferencePrice(costs: readonly ReceivedCost[], field: PriceField, currency: string): number | undefined {
  const { unitField } = priceFields.find((each) => each.field === field) ?? priceFields[0]
  const prices = costs
    .flatMap((cost) => (cost[unitField] === currency && cost[field] !== null && cost[field] > 0 ? [cost[field]] : []))
    .toSorted((left, right) => left - right)
  return prices[Math.floor(prices.length / 2)]
}
