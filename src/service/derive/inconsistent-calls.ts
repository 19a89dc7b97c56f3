import * as z from 'zod/mini'
import { count } from '../store/row-types'
import { joinSql, type Sql, sql, uint64 } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { TableCache } from '../store/table-cache'

const IdRow = z.object({ id: z.string() })
const CountRow = z.object({ count })

/** Of more rows that are not derived it takes longer to find out than to do without. */
const maxRows = 20_000
/** So few are looked at whether or not they are of the calls in question. */
const fewRows = 500

/** The table `inconsistent_calls`. Most projects have no such call, which is remembered. */
export class InconsistentCalls {
  private readonly hasAnyByProject: TableCache<boolean>

  constructor(private readonly store: Store) {
    this.hasAnyByProject = new TableCache(store, 'inconsistent_calls')
  }

  /** Whether one of these calls, a SELECT of ids, or of all calls of the project is inconsistent. */
  async hasAnyOf(callIds: Sql | undefined, projectId: string, options: QueryOptions): Promise<boolean> {
    const find = async (condition: Sql) => {
      const statement = sql`SELECT id FROM inconsistent_calls WHERE project_id = ${projectId} AND ${condition} LIMIT 1`
      return (await this.store.query(statement, IdRow, options)).length > 0
    }
    const values = await this.hasAnyByProject.read([projectId], async () => new Map([[projectId, await find(sql`1`)]]))
    return values.get(projectId) === true && (!callIds || (await find(sql`id IN (${callIds})`)))
  }

  /**
   * Looks at the rows of `calls` that meet `condition`. False if none of these calls has such a row and is inconsistent. True if one has,
   * or if there are too many rows to look at.
   */
  async mayHaveAmong(callIds: Sql | undefined, projectId: string, condition: Sql, options: QueryOptions): Promise<boolean> {
    const some = sql`SELECT 1 FROM calls WHERE ${condition} LIMIT ${uint64(maxRows + 1)}`
    const [found] = await this.store.query(sql`SELECT count() AS count FROM (${some})`, CountRow, {
      ...options,
      lookup: 'narrow',
    })
    if (!found || found.count > maxRows) return true
    if (found.count === 0) return false
    // To find a hundred thousand ids takes longer than to look at some calls too many. The index of insertion finds the rows.
    const areTheirs = !callIds || found.count <= fewRows ? sql`1` : sql`id IN (${callIds})`
    const ids = sql`SELECT id FROM calls WHERE ${condition} AND ${areTheirs}
  SETTINGS use_index_for_in_with_subqueries_max_values = 1000`
    const statement = sql`SELECT id FROM calls WHERE project_id = ${projectId} AND id IN (${ids})
GROUP BY id HAVING NOT (${isConsistentSql}) LIMIT 1`
    return (await this.store.query(statement, IdRow, options)).length > 0
  }
}

/** Of a call that is merged by `GROUP BY id`: whether its parts report the same start, trace and thread. */
export const isConsistentSql = joinSql(
  [
    // To collect all values of a call takes longer.
    sql`max(length(calls.all_starts)) < 2 AND ifNull(min(calls.started_at) = max(calls.started_at), 1)`,
    sql`max(length(calls.all_trace_ids)) < 2 AND minIf(calls.trace_id, calls.trace_id != '') = max(calls.trace_id)`,
    sql`max(length(calls.thread_ids)) < 2 AND minIf(calls.thread_id, calls.thread_id != '') = max(calls.thread_id)`,
  ],
  ' AND ',
)
