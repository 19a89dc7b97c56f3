import * as z from 'zod/mini'
import { sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { TableCache } from '../store/table-cache'

const IdRow = z.object({ id: z.string() })

/** Which projects have calls whose parts report different starts. */
export class RestartedCalls {
  private readonly hasAnyByProject: TableCache<boolean>

  constructor(private readonly store: Store) {
    this.hasAnyByProject = new TableCache(store, 'restarted_calls')
  }

  async hasAny(projectId: string, options: QueryOptions): Promise<boolean> {
    const values = await this.hasAnyByProject.read([projectId], async () => {
      const statement = sql`SELECT id FROM restarted_calls WHERE project_id = ${projectId} LIMIT 1`
      return new Map([[projectId, (await this.store.query(statement, IdRow, options)).length > 0]])
    })
    return values.get(projectId) ?? true
  }
}
