import type { Store } from '../store/store'

// A tombstone is the row again, one version on. Columns are listed in the order the SELECT gives them.
const bury = `INSERT INTO costs (project_id, id, llm_id, provider_id, prompt_token_cost, completion_token_cost,
  prompt_token_cost_unit, completion_token_cost_unit, effective_date, created_at, created_by, is_deleted, version,
  cache_read_input_token_cost, cache_creation_input_token_cost)
SELECT project_id, id, llm_id, provider_id, prompt_token_cost, completion_token_cost,
  prompt_token_cost_unit, completion_token_cost_unit, effective_date, created_at, created_by, 1, version + 1,
  cache_read_input_token_cost, cache_creation_input_token_cost
FROM costs FINAL
WHERE project_id = {project_id:String} AND is_deleted = 0 AND id IN {ids:Array(String)}`

/** Removes these records of a project ('' is the catalog's); ids it does not have are passed over. */
export async function buryCosts(store: Store, projectId: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await store.command(bury, { project_id: projectId, ids })
}
