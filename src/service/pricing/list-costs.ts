import * as z from 'zod/mini'
import { cacheCostFields, type CostField, costFields, costFieldTypes } from '../../contract/cost-fields'
import type { QueryCosts } from '../../contract/cost-requests'
import type { Cost } from '../../contract/costs'
import { compileExpression } from '../store/compile-expression'
import { limitOffset } from '../store/limit-offset'
import { orderBy } from '../store/order-by'
import { engineTime } from '../store/row-types'
import { type Sql, sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'

const CostRow = z.object({
  id: z.string(),
  llm_id: z.string(),
  prompt_token_cost: z.nullable(z.number()),
  completion_token_cost: z.nullable(z.number()),
  prompt_token_cost_unit: z.string(),
  completion_token_cost_unit: z.string(),
  effective_date: engineTime,
  provider_id: z.string(),
  cache_read_input_token_cost: z.nullable(z.number()),
  cache_creation_input_token_cost: z.nullable(z.number()),
})

// The built-in catalog has the project '', which no request can name. Every project reads it beside its own records.
function selectCosts(projectId: string): Sql {
  return sql`SELECT id, llm_id, prompt_token_cost, completion_token_cost, prompt_token_cost_unit,
  completion_token_cost_unit, effective_date, provider_id,
  cache_read_input_token_cost, cache_creation_input_token_cost
FROM costs FINAL
WHERE project_id IN (${projectId}, '') AND is_deleted = 0`
}

const columnByField: Record<CostField, Sql> = {
  id: sql`id`,
  llm_id: sql`llm_id`,
  prompt_token_cost: sql`prompt_token_cost`,
  completion_token_cost: sql`completion_token_cost`,
  prompt_token_cost_unit: sql`prompt_token_cost_unit`,
  completion_token_cost_unit: sql`completion_token_cost_unit`,
  effective_date: sql`effective_date`,
  provider_id: sql`provider_id`,
  cache_read_input_token_cost: sql`cache_read_input_token_cost`,
  cache_creation_input_token_cost: sql`cache_creation_input_token_cost`,
}
const allFields = [...costFields, ...cacheCostFields] as const
const newestFirst = [
  { field: 'effective_date', direction: 'desc' },
  { field: 'llm_id', direction: 'asc' },
] as const

/** The project's own prices and the catalog's, filtered, in a total order, with only the requested fields. */
export async function listCosts(store: Store, input: z.output<typeof QueryCosts>, options: QueryOptions = {}): Promise<Cost[]> {
  const statement = sql`${selectCosts(input.project_id)}
${input.query ? sql`AND ${compileExpression(input.query, toFieldSql)}` : sql``}
${orderBy(input.sort_by?.length ? input.sort_by : newestFirst, columnByField, sql`id ASC`)}
${limitOffset(input)}`
  const rows = await store.query(statement, CostRow, options)
  const requested = input.fields?.length ? allFields.filter((field) => input.fields?.includes(field)) : costFields
  return rows.map((row) => Object.fromEntries(requested.map((field) => [field, row[field]])))
}

function toFieldSql(name: string) {
  const field = allFields.find((each) => each === name)
  if (!field) throw new Error(`The request schema accepted a field that costs do not have: ${name}`)
  return { type: costFieldTypes[field], sql: columnByField[field] }
}
