import * as z from 'zod/mini'
import { Instant } from './instant'
import { maxModelNameLength, maxProviderLength, maxUnitLength } from './limits'
import { boundedText, isLongerThan, optional, refineAs } from './schema'

// Apart from cost-requests.ts: the browser reads files of prices with these, and must not load the query language.

const TokenCost = z
  .number()
  .check(refineAs<number>('greater_than_equal', (cost) => cost >= 0, 'Must be 0 or greater: currency units per single token.'))

/** A price to record, in currency units per single token. */
export const NewCost = z.object({
  prompt_token_cost: TokenCost,
  completion_token_cost: TokenCost,
  /** Without a price of their own, cached tokens are charged as prompt. In the unit of the prompt. */
  cache_read_input_token_cost: optional(TokenCost),
  cache_creation_input_token_cost: optional(TokenCost),
  prompt_token_cost_unit: optional(boundedText(maxUnitLength)),
  completion_token_cost_unit: optional(boundedText(maxUnitLength)),
  effective_date: optional(Instant),
  provider_id: optional(boundedText(maxProviderLength)),
})
export type NewCost = z.infer<typeof NewCost>

export const LlmId = z.string().check(
  refineAs<string>(
    'string_too_short',
    (id) => id.length > 0,
    `The name of a model is required: 1 to ${maxModelNameLength} characters.`,
  ),
  refineAs<string>(
    'string_too_long',
    (id) => !isLongerThan(id, maxModelNameLength),
    `The name of the model is too long: at most ${maxModelNameLength} characters.`,
  ),
)
