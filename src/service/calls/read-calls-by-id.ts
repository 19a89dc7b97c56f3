import type { QueryOptions, Store } from '../store/store'
import { ReadCallRow } from './call-row-schema'
import { callsWhere } from '../store/merged-calls'
import { type Sql, sql } from '../store/sql'

/** Calls as they are stored, in the order of the ids; `columns` is the list of a SELECT over merged calls. */
export async function readCallsById(
  store: Store,
  projectId: string,
  ids: readonly string[],
  columns: Sql,
  options: QueryOptions,
): Promise<ReadCallRow[]> {
  const statement = sql`SELECT ${columns} FROM ${callsWhere(projectId, sql`id IN ${ids}`)} WHERE started_at IS NOT NULL`
  const rows = await store.query(statement, ReadCallRow, options)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
