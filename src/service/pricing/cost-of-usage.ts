import { Big } from 'big.js'
import type { CallCost } from '../../contract/calls'
import { fromEngineTime } from '../store/engine-time'
import type { PriceRecord } from './choose-price'
import type { Usage } from './usage'

/** Amounts in exact decimals; null where the record has no price for these tokens. */
type Amounts = { prompt: Big | null; completion: Big | null; cacheRead: Big | null; cacheCreation: Big | null }

/**
 * What a usage costs at a price. Cached tokens that have a price of their own are billed by it and taken off the prompt's;
 * without one they stay there. Where more is cached than there is prompt, the client counts them beside the prompt, and
 * nothing is taken off.
 */
export function calculateAmounts(usage: Usage, price: PriceRecord): Amounts {
  const { cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage
  const apart =
    (price.cache_read_input_token_cost === null ? 0 : read) + (price.cache_creation_input_token_cost === null ? 0 : written)
  const prompt = read + written > usage.prompt_tokens ? usage.prompt_tokens : usage.prompt_tokens - apart
  return {
    prompt: times(prompt, price.prompt_token_cost),
    completion: times(usage.completion_tokens, price.completion_token_cost),
    cacheRead: times(read, price.cache_read_input_token_cost),
    cacheCreation: times(written, price.cache_creation_input_token_cost),
  }
}

/** A double stands for its shortest decimal, so 0.0000025 a token is exactly that. */
function times(tokens: number, cost: number | null): Big | null {
  return cost === null ? null : new Big(cost).times(tokens)
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
    prompt_tokens_total_cost: numberOf(amounts.prompt),
    completion_tokens_total_cost: numberOf(amounts.completion),
    cache_read_input_tokens_total_cost: numberOf(amounts.cacheRead),
    cache_creation_input_tokens_total_cost: numberOf(amounts.cacheCreation),
    prompt_token_cost_unit: price.prompt_token_cost_unit,
    completion_token_cost_unit: price.completion_token_cost_unit,
    effective_date: fromEngineTime(price.effective_date),
    provider_id: price.provider_id,
    pricing_level: isOwn ? 'project' : 'default',
    pricing_level_id: isOwn ? price.project_id : 'default',
    created_at: fromEngineTime(price.created_at),
    created_by: price.created_by || null,
  }
}

function numberOf(amount: Big | null): number | null {
  return amount && Number(amount.toString())
}
