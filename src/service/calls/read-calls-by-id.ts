import type { QueryOptions, Store } from '../store/store'
import { ReadCallRow } from './call-row-schema'
import { callsWhere } from '../store/merged-calls'

/** What is stored of these calls, in the order of the ids; `columns` is the list of a SELECT over merged calls. */
export async function readCallsById(
  store: Store,
  projectId: string,
  ids: readonly string[],
  columns: string,
  options: QueryOptions,
): Promise<ReadCallRow[]> {
  const sql = `SELECT ${columns} FROM ${callsWhere('id IN {ids:Array(String)}')} WHERE started_at IS NOT NULL`
  const rows = await store.query(sql, { project_id: projectId, ids }, ReadCallRow, options)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
