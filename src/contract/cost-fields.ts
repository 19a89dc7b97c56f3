import type { QueryFieldType } from './expression'

// The browser and the request schemas both need these, and the browser must not load the request schemas.

/** The eight fields of a cost, in wire order, and what each holds. Costs are per single token. */
export const costFieldTypes = {
  id: 'string',
  llm_id: 'string',
  prompt_token_cost: 'number',
  completion_token_cost: 'number',
  prompt_token_cost_unit: 'string',
  completion_token_cost_unit: 'string',
  effective_date: 'datetime',
  provider_id: 'string',
} as const satisfies Record<string, QueryFieldType>

export type CostField = keyof typeof costFieldTypes

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

/** The ids of the built-in price catalog begin so. Every project reads the catalog, none can change it. */
export const catalogIdPrefix = 'catalog:'

export function isCatalogId(id: string): boolean {
  return id.startsWith(catalogIdPrefix)
}
