import type { QueryFieldType } from './expression'

// The browser and the request schemas both need these, and the browser must not load the request schemas.

/** The fields of a cost and what each holds. Costs are per single token. */
export const costFieldTypes = {
  id: 'string',
  llm_id: 'string',
  prompt_token_cost: 'number',
  completion_token_cost: 'number',
  prompt_token_cost_unit: 'string',
  completion_token_cost_unit: 'string',
  effective_date: 'datetime',
  provider_id: 'string',
  cache_read_input_token_cost: 'number',
  cache_creation_input_token_cost: 'number',
} as const satisfies Record<string, QueryFieldType>

export type CostField = keyof typeof costFieldTypes

/** The eight fields of W&B Weave's costs, in wire order. */
export const costFields = [
  'id',
  'llm_id',
  'prompt_token_cost',
  'completion_token_cost',
  'prompt_token_cost_unit',
  'completion_token_cost_unit',
  'effective_date',
  'provider_id',
] as const satisfies readonly CostField[]

/** The prices of cached tokens: only where a request names them. A Spool extension. */
export const cacheCostFields = [
  'cache_read_input_token_cost',
  'cache_creation_input_token_cost',
] as const satisfies readonly CostField[]

/** The ids of the built-in price catalog begin so. Every project reads the catalog, none can change it. */
export const catalogIdPrefix = 'catalog:'

export function isCatalogId(id: string): boolean {
  return id.startsWith(catalogIdPrefix)
}
