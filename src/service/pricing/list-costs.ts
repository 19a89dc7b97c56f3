import type * as zm from 'zod/mini'
import * as z from 'zod'
import { type CostField, costFields, costFieldTypes } from '../../contract/cost-fields'
import type { QueryCosts } from '../../contract/cost-requests'
import type { Cost } from '../../contract/costs'
import { fromEngineTime } from '../store/engine-time'
import { orderBy } from '../store/order-by'
import { type Sql, sql, uint64 } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { compileExpression } from '../store/compile-expression'

type Input = zm.output<typeof QueryCosts>

const CostRow = z.object({
  id: z.string(),
  llm_id: z.string(),
  prompt_token_cost: z.number().nullable(),
  completion_token_cost: z.number().nullable(),
  prompt_token_cost_unit: z.string(),
  completion_token_cost_unit: z.string(),
  effective_date: z.string().transform(fromEngineTime),
  provider_id: z.string(),
})

// The built-in catalog stands under the project '', which no request can name; every project reads it beside its own.
const costsOfProject = (
  projectId: string,
) => sql`SELECT id, llm_id, prompt_token_cost, completion_token_cost, prompt_token_cost_unit,
  completion_token_cost_unit, effective_date, provider_id
FROM costs FINAL
WHERE project_id IN (${projectId}, '') AND is_deleted = 0`

const columnByField: Record<CostField, Sql> = {
  id: sql`id`,
  llm_id: sql`llm_id`,
  prompt_token_cost: sql`prompt_token_cost`,
  completion_token_cost: sql`completion_token_cost`,
  prompt_token_cost_unit: sql`prompt_token_cost_unit`,
  completion_token_cost_unit: sql`completion_token_cost_unit`,
  effective_date: sql`effective_date`,
  provider_id: sql`provider_id`,
}
const newestFirst = [
  { field: 'effective_date', direction: 'desc' },
  { field: 'llm_id', direction: 'asc' },
] as const
const mostRows = 1e15 // "all", within what LIMIT and OFFSET add up to

/** The project's own prices and the catalog's, filtered, in a total order; of each only the fields asked for. */
export async function listCosts(store: Store, input: Input, options: QueryOptions = {}): Promise<Cost[]> {
  const condition = input.query && compileExpression(input.query, costField)
  const statement = sql`${costsOfProject(input.project_id)}
${condition ? sql`AND ${condition}` : sql``}
${orderBy(input.sort_by?.length ? input.sort_by : newestFirst, columnByField, sql`id ASC`)}
LIMIT ${uint64(input.limit ?? mostRows)} OFFSET ${uint64(input.offset ?? 0)}`
  const rows = await store.query(statement, CostRow, options)
  const requested = input.fields?.length ? costFields.filter((field) => input.fields?.includes(field)) : undefined
  return requested ? rows.map((row) => Object.fromEntries(requested.map((field) => [field, row[field]]))) : rows
}

function costField(name: string) {
  const field = costFields.find((each) => each === name)
  if (!field) throw new Error(`The schema let through a field that costs do not have: ${name}`)
  return { type: costFieldTypes[field], sql: columnByField[field] }
}
