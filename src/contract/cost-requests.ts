import * as z from 'zod/mini'
import { cacheCostFields, catalogIdPrefix, costFields, costFieldTypes, isCatalogId } from './cost-fields'
import type { QueryFieldType, Query } from './expression'
import { querySchema } from './query-schema'
import { namesOnlyIds, parseIdQuery } from './id-query'
import { LlmId, NewCost } from './new-cost'
import { ProjectId } from './project-id'
import { Count, sortBy, strictRequest } from './request'
import { maxCostsPerRequest } from './limits'
import { boundedList, dictionary, optional, refineAs } from './schema'

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
