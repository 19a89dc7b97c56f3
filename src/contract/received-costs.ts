import * as z from 'zod/mini'
import type { QueryCosts } from './cost-requests'
import type { ClientEndpoint } from './endpoint'
import { ReceivedInstant, ReceivedNumber, ReceivedText } from './received'

/** A cost as any service sends it. Null is not set, or not asked for. Costs are currency units per token. */
export const ReceivedCost = z.object({
  id: ReceivedText,
  llm_id: ReceivedText,
  prompt_token_cost: ReceivedNumber,
  completion_token_cost: ReceivedNumber,
  prompt_token_cost_unit: ReceivedText,
  completion_token_cost_unit: ReceivedText,
  effective_date: ReceivedInstant,
  provider_id: ReceivedText,
  /** The prices of cached tokens are a Spool extension: other services do not know them. In the currency of the prompt. */
  cache_read_input_token_cost: ReceivedNumber,
  cache_creation_input_token_cost: ReceivedNumber,
})
export type ReceivedCost = z.infer<typeof ReceivedCost>

// The records are parsed one by one: a wrong one must not hide the others.
const ReceivedCostList = z.object({ results: z.array(z.unknown()) })

/** The operation `queryCosts`, for reading what any service sends. */
export const receiveCosts: ClientEndpoint<typeof QueryCosts, typeof ReceivedCostList, false> = {
  method: 'POST',
  path: '/cost/query',
  response: ReceivedCostList,
  streams: false,
  places: {},
}
