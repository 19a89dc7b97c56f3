import { sql } from '../store/sql'
import type { Store, WriteOptions } from '../store/store'

/** Deletes these records of a project ('' is the catalog's). Unknown ids are ignored. */
export async function deleteCosts(
  store: Store,
  projectId: string,
  ids: readonly string[],
  options: WriteOptions = {},
): Promise<void> {
  if (ids.length === 0) return
  // Writes tombstones: each row again with the next version. The SELECT lists the columns in the order of the INSERT.
  const statement = sql`INSERT INTO costs (project_id, id, llm_id, provider_id, prompt_token_cost, completion_token_cost,
  prompt_token_cost_unit, completion_token_cost_unit, effective_date, created_at, created_by, is_deleted, version,
  cache_read_input_token_cost, cache_creation_input_token_cost)
SELECT project_id, id, llm_id, provider_id, prompt_token_cost, completion_token_cost,
  prompt_token_cost_unit, completion_token_cost_unit, effective_date, created_at, created_by, 1, version + 1,
  cache_read_input_token_cost, cache_creation_input_token_cost
FROM costs FINAL
WHERE project_id = ${projectId} AND is_deleted = 0 AND id IN ${ids}`
  await store.command(statement, options)
}
