import * as z from 'zod/mini'
import { type Sql, sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { TableCache } from '../store/table-cache'

const IdRow = z.object({ id: z.string() })

/** The table `inconsistent_calls`. Most projects have no such call, which is remembered. */
export class InconsistentCalls {
  private readonly hasAnyByProject: TableCache<boolean>

  constructor(private readonly store: Store) {
    this.hasAnyByProject = new TableCache(store, 'inconsistent_calls')
  }

  /** Whether one of these calls, a SELECT of ids, is inconsistent. */
  async hasAnyOf(callIds: Sql, projectId: string, options: QueryOptions): Promise<boolean> {
    const find = async (condition: Sql) => {
      const statement = sql`SELECT id FROM inconsistent_calls WHERE project_id = ${projectId} AND ${condition} LIMIT 1`
      return (await this.store.query(statement, IdRow, options)).length > 0
    }
    const values = await this.hasAnyByProject.read([projectId], async () => new Map([[projectId, await find(sql`1`)]]))
    return values.get(projectId) === true && (await find(sql`id IN (${callIds})`))
  }
}
