import type { ModelInfo, ModelPrice, Provider } from '@pydantic/genai-prices'
import { Big } from 'big.js'
import { catalogIdPrefix } from '../../contract/cost-fields'
import { undatedEffectiveDate } from '../../contract/costs'

/** A price of the built-in list: US dollars per single token, null where the list has none. */
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

/** The records of a price list, one for each model and start date. Models priced in other units than tokens have none. */
export function catalogRecords(providers: readonly Provider[]): CatalogRecord[] {
  return providers.flatMap((provider) => provider.models.flatMap((model) => recordsOf(provider.id, model)))
}

function recordsOf(providerId: string, model: ModelInfo): CatalogRecord[] {
  const entries = Array.isArray(model.prices) ? model.prices : [{ prices: model.prices }]
  return entries.flatMap(({ constraint, prices }) => {
    // A price for certain hours of each day has no date since which it holds; the model's price for other hours stays.
    if (constraint?.type === 'time_of_date') return []
    const [prompt, completion] = [perToken(prices, 'input_mtok'), perToken(prices, 'output_mtok')]
    if (prompt === null && completion === null) return []
    const date = constraint?.start_date
    return [
      {
        id: `${catalogIdPrefix}${providerId}/${model.id}@${date ?? 'undated'}`,
        llm_id: model.id,
        provider_id: providerId,
        prompt_token_cost: prompt,
        completion_token_cost: completion,
        cache_read_input_token_cost: perToken(prices, 'cache_read_mtok'),
        cache_creation_input_token_cost: perToken(prices, 'cache_write_mtok'),
        effectiveDate: date === undefined ? undatedEffectiveDate : `${date}T00:00:00Z`,
      },
    ]
  })
}

const mostDigits = 12

/**
 * The list has prices per million tokens; of one that depends on the length of the prompt the first step counts, because
 * the wire has one price a record. Shifted as decimal text: 2.5 becomes 0.0000025, not its neighbour. Some prices in the
 * list are sums of doubles and carry their noise, 0.18000000000000002 for 0.18; no price has twelve digits of its own.
 */
function perToken(prices: ModelPrice, unit: string): number | null {
  const price = prices[unit]
  const base = typeof price === 'object' ? price.base : price
  return base === undefined ? null : Number(new Big(base).prec(mostDigits).times('1e-6').toString())
}
