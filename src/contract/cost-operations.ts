import * as z from 'zod/mini'
import { optional, codePointLength, refineAs } from './schema'
import { catalogIdPrefix, costFields, costFieldTypes, readCosts } from './costs'
import { defineEndpoint } from './endpoint'
import { type FieldType, type Query, querySchema } from './expression'
import { Instant } from './instant'
import { dictionary, list } from './list'
import { ProjectId } from './project-id'
import { Count, sortBy, strictRequest } from './request'

export const CostField = z.enum(costFields)
export type CostField = z.infer<typeof CostField>

const typeByField = new Map<string, FieldType>(Object.entries(costFieldTypes))
const CostQuery = querySchema((field) => typeByField.get(field), costFields.join(', '))

export const QueryCosts = strictRequest({
  project_id: ProjectId,
  fields: optional(list(CostField)),
  query: optional(CostQuery),
  sort_by: optional(sortBy(costFields)),
  limit: Count,
  offset: Count,
})

export const queryCosts = defineEndpoint({ ...readCosts, request: QueryCosts })

const TokenCost = z
  .number()
  .check(refineAs<number>('greater_than_equal', (cost) => cost >= 0, 'Must be 0 or greater: currency units per single token.'))

/** A price to be recorded: currency units per single token. */
export const NewCost = z.object({
  prompt_token_cost: TokenCost,
  completion_token_cost: TokenCost,
  prompt_token_cost_unit: optional(z.string()),
  completion_token_cost_unit: optional(z.string()),
  effective_date: optional(Instant),
  provider_id: optional(z.string()),
})
export type NewCost = z.infer<typeof NewCost>

const LlmId = z.string().check(
  refineAs<string>('string_too_short', (id) => id.length > 0, 'A model is needed: 1 to 512 characters.'),
  refineAs<string>(
    'string_too_long',
    (id) => codePointLength(id) <= 512,
    'The name of the model is too long: at most 512 characters.',
  ),
)

/** Records prices: always new rows, so that the history stays. */
export const createCosts = defineEndpoint({
  path: '/cost/create',
  request: z.object({ project_id: ProjectId, costs: dictionary(LlmId, NewCost) }),
  response: z.object({ ids: z.array(z.tuple([z.string(), z.string()])) }),
})

/** Removes the project's own records that are named by id; a catalog id is refused. */
export const purgeCosts = defineEndpoint({
  path: '/cost/purge',
  request: strictRequest({
    project_id: ProjectId,
    query: CostQuery.check((context) => {
      const ids = parseIdQuery(context.value)
      const message = !ids
        ? 'A purge names ids only: {"$expr": {"$eq": [{"$getField": "id"}, {"$literal": "…"}]}}, or \'$in\', or \'$or\' of these.'
        : ids.some((id) => id.startsWith(catalogIdPrefix))
          ? `The built-in catalog cannot be purged: ids that start with '${catalogIdPrefix}' are not the project's.`
          : undefined
      if (message) context.issues.push({ code: 'custom', message, params: { type: 'value_error' }, input: context.value })
    }),
  }),
  response: z.object({}),
})

/** The ids a purge query names, or undefined where it says anything else. */
export function parseIdQuery(query: Query): string[] | undefined {
  return idsNamedByOperation(query.$expr)
}

function idsNamedByOperation(operation: object): string[] | undefined {
  if ('$or' in operation && Array.isArray(operation.$or)) {
    const lists = operation.$or.map((each: object) => idsNamedByOperation(each))
    return lists.every((ids) => ids !== undefined) ? lists.flat() : undefined
  }
  if ('$eq' in operation && Array.isArray(operation.$eq)) {
    const [left, right]: object[] = operation.$eq
    const id = left && right && (isIdField(left) ? literalText(right) : isIdField(right) ? literalText(left) : undefined)
    return id === undefined ? undefined : [id]
  }
  if ('$in' in operation && Array.isArray(operation.$in)) {
    const [left, items]: [object, object[]] = [operation.$in[0], operation.$in[1]]
    const ids = items.map(literalText)
    return isIdField(left) && ids.every((id) => id !== undefined) ? ids : undefined
  }
  return undefined
}

function isIdField(operand: object): boolean {
  return '$getField' in operand && operand.$getField === 'id'
}

function literalText(operand: object): string | undefined {
  return '$literal' in operand && typeof operand.$literal === 'string' ? operand.$literal : undefined
}
