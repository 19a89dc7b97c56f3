import * as z from 'zod/mini'
import { engineTime } from '../store/row-types'
import { type Sql, sql } from '../store/sql'

const cost = z.nullable(z.number())

/** A price record, in units per single token; null where the price is unknown. */
export const PriceRecord = z.object({
  id: z.string(),
  /** '' for the built-in catalog, which every project reads. */
  project_id: z.string(),
  llm_id: z.string(),
  provider_id: z.string(),
  prompt_token_cost: cost,
  completion_token_cost: cost,
  cache_read_input_token_cost: cost,
  cache_creation_input_token_cost: cost,
  prompt_token_cost_unit: z.string(),
  completion_token_cost_unit: z.string(),
  effective_date: engineTime,
  created_at: engineTime,
  created_by: z.string(),
})
export type PriceRecord = z.infer<typeof PriceRecord>

/** All price records of these models: the project's own and the catalog's. */
export function selectPrices(projectId: string, models: readonly string[]): Sql {
  return sql`SELECT id, project_id, llm_id, provider_id, prompt_token_cost, completion_token_cost,
  cache_read_input_token_cost, cache_creation_input_token_cost, prompt_token_cost_unit, completion_token_cost_unit,
  effective_date, created_at, created_by
FROM costs FINAL
WHERE project_id IN (${projectId}, '') AND is_deleted = 0 AND llm_id IN ${models}`
}
