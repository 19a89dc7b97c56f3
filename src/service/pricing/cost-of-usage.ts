import type { CallCost } from '../../contract/calls'
import { type Decimal, multiplyDecimals, toDecimal, toNumber } from '../../contract/decimal'
import type { PriceRecord } from './price-record'
import type { Usage } from './usage'

/** Exact amounts, in the units of the price record; null where the record has no price for these tokens. */
type Amounts = { prompt: Decimal | null; completion: Decimal | null; cacheRead: Decimal | null; cacheCreation: Decimal | null }

/**
 * What a usage costs at a price. Cached tokens are billed at the cache price and subtracted from the prompt's; without a
 * cache price they stay in the prompt. Where more tokens are cached than the prompt has, the client counts them beside the
 * prompt, and nothing is subtracted.
 */
export function calculateAmounts(usage: Usage, price: PriceRecord): Amounts {
  const { cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage
  const billedAsCache =
    (price.cache_read_input_token_cost === null ? 0 : read) + (price.cache_creation_input_token_cost === null ? 0 : written)
  const prompt = read + written > usage.prompt_tokens ? usage.prompt_tokens : usage.prompt_tokens - billedAsCache
  return {
    prompt: multiply(prompt, price.prompt_token_cost),
    completion: multiply(usage.completion_tokens, price.completion_token_cost),
    cacheRead: multiply(read, price.cache_read_input_token_cost),
    cacheCreation: multiply(written, price.cache_creation_input_token_cost),
  }
}

/** The wire's `summary.weave.costs` of one model. */
export function calculateCallCost(usage: Usage, price: PriceRecord): CallCost {
  const amounts = calculateAmounts(usage, price)
  const isOwn = price.project_id !== ''
  return {
    ...usage,
    prompt_token_cost: price.prompt_token_cost,
    completion_token_cost: price.completion_token_cost,
    cache_read_input_token_cost: price.cache_read_input_token_cost,
    cache_creation_input_token_cost: price.cache_creation_input_token_cost,
    prompt_tokens_total_cost: toNumberOrNull(amounts.prompt),
    completion_tokens_total_cost: toNumberOrNull(amounts.completion),
    cache_read_input_tokens_total_cost: toNumberOrNull(amounts.cacheRead),
    cache_creation_input_tokens_total_cost: toNumberOrNull(amounts.cacheCreation),
    prompt_token_cost_unit: price.prompt_token_cost_unit,
    completion_token_cost_unit: price.completion_token_cost_unit,
    effective_date: price.effective_date,
    provider_id: price.provider_id,
    pricing_level: isOwn ? 'project' : 'default',
    pricing_level_id: isOwn ? price.project_id : 'default',
    created_at: price.created_at,
    created_by: price.created_by || null,
  }
}

function multiply(tokens: number, cost: number | null): Decimal | null {
  return cost === null ? null : multiplyDecimals(toDecimal(cost), toDecimal(tokens))
}

function toNumberOrNull(amount: Decimal | null): number | null {
  return amount && toNumber(amount)
}
