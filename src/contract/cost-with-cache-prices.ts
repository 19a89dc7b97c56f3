import * as z from 'zod/mini'
import { Cost } from './costs'

/** A cost with the prices of cached tokens, as it is read where `fields` names them. Apart: the browser does not load it. */
export const CostWithCachePrices = z.extend(Cost, {
  cache_read_input_token_cost: z.optional(z.nullable(z.number())),
  cache_creation_input_token_cost: z.optional(z.nullable(z.number())),
})
export type CostWithCachePrices = z.infer<typeof CostWithCachePrices>
