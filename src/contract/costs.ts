import * as z from 'zod/mini'
import { absent, codePointLength, refuse } from './absent'
import { defineEndpoint } from './endpoint'
import { type FieldType, type Query, querySchema } from './expression'
import { Instant } from './instant'
import { dictionary, list } from './list'
import { ProjectId } from './project-id'
import { Count, sortBy, strictRequest } from './request'

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

export const CostField = z.enum(costFields)
export type CostField = z.infer<typeof CostField>

const typeByField = new Map<string, FieldType>(Object.entries(costFieldTypes))
const CostQuery = querySchema((field) => typeByField.get(field), costFields.join(', '))

/** A cost as read: only the fields asked for are there; null means not set. Costs are currency units per token. */
export const Cost = z.object({
  id: absent(z.string()),
  llm_id: absent(z.string()),
  prompt_token_cost: z.optional(z.nullable(z.number())),
  completion_token_cost: z.optional(z.nullable(z.number())),
  prompt_token_cost_unit: z.optional(z.nullable(z.string())),
  completion_token_cost_unit: z.optional(z.nullable(z.string())),
  effective_date: z.optional(z.nullable(Instant)),
  provider_id: z.optional(z.nullable(z.string())),
})
export type Cost = z.infer<typeof Cost>

export const queryCosts = defineEndpoint({
  path: '/cost/query',
  request: strictRequest({
    project_id: ProjectId,
    fields: absent(list(CostField)),
    query: absent(CostQuery),
    sort_by: absent(sortBy(costFields)),
    limit: Count,
    offset: Count,
  }),
  response: z.object({ results: z.array(Cost) }),
})

const TokenCost = z
  .number()
  .check(refuse<number>('greater_than_equal', (cost) => cost >= 0, 'Must be 0 or greater: currency units per single token.'))

/** A price to be recorded: currency units per single token. */
export const NewCost = z.object({
  prompt_token_cost: TokenCost,
  completion_token_cost: TokenCost,
  prompt_token_cost_unit: absent(z.string()),
  completion_token_cost_unit: absent(z.string()),
  effective_date: absent(Instant),
  provider_id: absent(z.string()),
})
export type NewCost = z.infer<typeof NewCost>

const LlmId = z.string().check(
  refuse<string>('string_too_short', (id) => id.length > 0, 'A model is needed: 1 to 512 characters.'),
  refuse<string>(
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
      const ids = idsNamedBy(context.value)
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
export function idsNamedBy(query: Query): string[] | undefined {
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
