import type { ModelInfo, ModelPrice, Provider } from '@pydantic/genai-prices'
import { catalogIdPrefix } from '../../contract/cost-fields'
import { undatedEffectiveDate } from '../../contract/costs'
import { roundToSignificantDigits, shiftDecimal, toDecimal, toNumber } from '../../contract/decimal'

/** A price of the built-in catalog: US dollars per single token, null where the catalog has none. */
export type CatalogRecord = {
  id: string
  llm_id: string
  provider_id: string
  prompt_token_cost: number | null
  completion_token_cost: number | null
  cache_read_input_token_cost: number | null
  cache_creation_input_token_cost: number | null
  effectiveDate: string
}

/** The records of a price list, one for each model and start date. Models that are not priced by tokens have none. */
export function toCatalogRecords(providers: readonly Provider[]): CatalogRecord[] {
  return providers.flatMap((provider) => provider.models.flatMap((model) => toModelRecords(provider.id, model)))
}

function toModelRecords(providerId: string, model: ModelInfo): CatalogRecord[] {
  const entries = Array.isArray(model.prices) ? model.prices : [{ prices: model.prices }]
  return entries.flatMap(({ constraint, prices }) => {
    // A price for certain hours of each day has no effective date; the model's price for the other hours stays.
    if (constraint?.type === 'time_of_date') return []
    const [prompt, completion] = [pricePerToken(prices, 'input_mtok'), pricePerToken(prices, 'output_mtok')]
    if (prompt === null && completion === null) return []
    const date = constraint?.start_date
    return [
      {
        id: `${catalogIdPrefix}${providerId}/${model.id}@${date ?? 'undated'}`,
        llm_id: model.id,
        provider_id: providerId,
        prompt_token_cost: prompt,
        completion_token_cost: completion,
        cache_read_input_token_cost: pricePerToken(prices, 'cache_read_mtok'),
        cache_creation_input_token_cost: pricePerToken(prices, 'cache_write_mtok'),
        effectiveDate: date === undefined ? undatedEffectiveDate : `${date}T00:00:00Z`,
      },
    ]
  })
}

// Some prices of the list are sums of doubles and carry their noise: 0.18000000000000002 for 0.18. No price has twelve
// significant digits of its own.
const maxSignificantDigits = 12

/**
 * The list has prices per million tokens. Where a price depends on the length of the prompt its first step counts, because
 * the wire has one price a record.
 */
function pricePerToken(prices: ModelPrice, unit: string): number | null {
  const price = prices[unit]
  const base = typeof price === 'object' ? price.base : price
  return base === undefined ? null : toNumber(shiftDecimal(roundToSignificantDigits(toDecimal(base), maxSignificantDigits), -6))
}
