import * as z from 'zod/mini'
import { cacheCostFields, catalogIdPrefix, costFields, costFieldTypes, isCatalogId } from './cost-fields'
import { type QueryFieldType, type Query, querySchema } from './expression'
import { namesOnlyIds, parseIdQuery } from './id-query'
import { Instant } from './instant'
import { ProjectId } from './project-id'
import { Count, sortBy, strictRequest } from './request'
import { maxCostsPerRequest, maxModelNameLength, maxProviderLength, maxUnitLength } from './limits'
import { dictionary, boundedList, boundedText, isLongerThan, optional, refineAs } from './schema'

const typeByField = new Map<string, QueryFieldType>(Object.entries(costFieldTypes))
const allFields = [...costFields, ...cacheCostFields] as const
/** Each field once is enough. */
const maxSelectedFields = 100
const CostQuery = querySchema((field) => typeByField.get(field), allFields.join(', '))

export const QueryCosts = strictRequest({
  project_id: ProjectId,
  /** Absent or empty: the eight of W&B Weave. */
  fields: optional(boundedList(z.enum(allFields), maxSelectedFields)),
  query: optional(CostQuery),
  /** Without it: newest first. */
  sort_by: optional(sortBy(allFields)),
  limit: Count,
  offset: Count,
})

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

const LlmId = z.string().check(
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

export const CreateCosts = z.object({ project_id: ProjectId, costs: dictionary(LlmId, NewCost, maxCostsPerRequest) })
export const PurgeCosts = strictRequest({
  project_id: ProjectId,
  query: CostQuery.check(
    namesOnlyIds,
    refineAs<Query>(
      'value_error',
      (query) => !parseIdQuery(query)?.some(isCatalogId),
      `Costs of the built-in catalog cannot be purged: their ids start with '${catalogIdPrefix}'.`,
    ),
  ),
})
