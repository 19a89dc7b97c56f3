import { compareText } from '../../contract/compare-text'

/** A price record, in units per single token; null where it knows none. Times are the engine's text, which sorts as time does. */
export type PriceRecord = {
  id: string
  /** '' for the built-in catalog. */
  project_id: string
  llm_id: string
  provider_id: string
  prompt_token_cost: number | null
  completion_token_cost: number | null
  cache_read_input_token_cost: number | null
  cache_creation_input_token_cost: number | null
  prompt_token_cost_unit: string
  completion_token_cost_unit: string
  effective_date: string
  created_at: string
  created_by: string
}

// Who makes models sells them first hand. Others of the catalog resell them, and one that makes models of its own may
// resell another's: the earlier here counts.
const makers = [
  'anthropic',
  'openai',
  'google',
  'mistral',
  'cohere',
  'deepseek',
  'x-ai',
  'moonshotai',
  'minimax',
  'zai',
  'perplexity',
]

/** The catalog's names for what instrumentations call a provider. */
const providerByAlias: Readonly<Record<string, string>> = {
  'aws.bedrock': 'aws',
  aws_bedrock: 'aws',
  bedrock: 'aws',
  'azure.ai.openai': 'azure',
  'azure.ai.inference': 'azure',
  azure_openai: 'azure',
  gemini: 'google',
  'gcp.gemini': 'google',
  'gcp.gen_ai': 'google',
  'gcp.vertex_ai': 'google',
  vertex_ai: 'google',
  mistral_ai: 'mistral',
  mistralai: 'mistral',
  moonshot_ai: 'moonshotai',
  x_ai: 'x-ai',
  xai: 'x-ai',
}

/**
 * The record by which a call is priced: effective at or before its start beats future, the project's own beats the
 * catalog's, then the newest counts. Among records alike in all this: the provider that the call names, then who makes the
 * model, then the least provider and id by their bytes. So every call has one price, whatever the order of the records.
 */
export function choosePrice(
  prices: readonly PriceRecord[],
  startedAt: string,
  provider: string | undefined,
): PriceRecord | undefined {
  const named = provider && (Object.hasOwn(providerByAlias, provider) ? providerByAlias[provider] : provider)
  return prices.reduce<PriceRecord | undefined>(
    (best, price) => (best === undefined || order(price, best, startedAt, named) < 0 ? price : best),
    undefined,
  )
}

/** Below 0 where the left one is to be preferred. */
function order(left: PriceRecord, right: PriceRecord, startedAt: string, provider: string | undefined): number {
  return (
    rank(left.effective_date > startedAt, right.effective_date > startedAt) ||
    rank(left.project_id === '', right.project_id === '') ||
    compareText(right.effective_date, left.effective_date) ||
    rank(left.provider_id !== provider, right.provider_id !== provider) ||
    makerRank(left) - makerRank(right) ||
    compareText(left.provider_id, right.provider_id) ||
    compareText(left.id, right.id)
  )
}

function rank(left: boolean, right: boolean): number {
  return Number(left) - Number(right)
}

function makerRank({ provider_id: provider }: PriceRecord): number {
  const place = makers.indexOf(provider)
  return place < 0 ? makers.length : place
}
