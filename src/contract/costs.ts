import * as z from 'zod/mini'
import type { QueryCosts } from './cost-requests'
import type { ClientEndpoint } from './endpoint'
import { Instant } from './instant'
import { optional } from './schema'

/**
 * The effective date of a record whose start is unknown. The wire cannot say "always"; no model was sold by the token in
 * 1970.
 */
export const undatedEffectiveDate = '1970-01-01T00:00:00Z'

/** A cost as read. Only the requested fields are present; null means not set. Costs are currency units per token. */
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

/** The project's own prices and those of the built-in catalog. */
export const queryCosts: ClientEndpoint<typeof QueryCosts, typeof CostList, false> = {
  method: 'POST',
  path: '/cost/query',
  response: CostList,
  streams: false,
  places: {},
}
