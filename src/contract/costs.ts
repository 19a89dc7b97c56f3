import * as z from 'zod/mini'
import { optional } from './schema'
import type { QueryCosts } from './cost-operations'
import type { ClientEndpoint } from './endpoint'
import type { FieldType } from './expression'
import { Instant } from './instant'

/** The eight fields of a cost, in wire order, with what each holds. Costs are per single token. */
export const costFieldTypes = {
  id: 'string',
  llm_id: 'string',
  prompt_token_cost: 'number',
  completion_token_cost: 'number',
  prompt_token_cost_unit: 'string',
  completion_token_cost_unit: 'string',
  effective_date: 'datetime',
  provider_id: 'string',
} as const satisfies Record<string, FieldType>

export const costFields = [
  'id',
  'llm_id',
  'prompt_token_cost',
  'completion_token_cost',
  'prompt_token_cost_unit',
  'completion_token_cost_unit',
  'effective_date',
  'provider_id',
] as const satisfies readonly (keyof typeof costFieldTypes)[]

/** Ids of the built-in price list begin so; every project reads it, none changes it. */
export const catalogIdPrefix = 'catalog:'

/**
 * A record that has no known start is effective since this date.
 * The wire has no "since ever"; no model was sold by the token in 1970.
 */
export const undatedEffectiveDate = '1970-01-01T00:00:00Z'

/** A cost as read: only the fields asked for are there; null means not set. Costs are currency units per token. */
export const Cost = z.object({
  id: optional(z.string()),
  llm_id: optional(z.string()),
  prompt_token_cost: z.optional(z.nullable(z.number())),
  completion_token_cost: z.optional(z.nullable(z.number())),
  prompt_token_cost_unit: z.optional(z.nullable(z.string())),
  completion_token_cost_unit: z.optional(z.nullable(z.string())),
  effective_date: z.optional(z.nullable(Instant)),
  provider_id: z.optional(z.nullable(z.string())),
})
export type Cost = z.infer<typeof Cost>

const CostList = z.object({ results: z.array(Cost) })

/** `queryCosts` for who only calls it: the rules of the query language stay with those that judge queries. */
export const readCosts: ClientEndpoint<typeof QueryCosts, typeof CostList, false> = {
  method: 'POST',
  path: '/cost/query',
  response: CostList,
  streams: false,
  places: {},
}
