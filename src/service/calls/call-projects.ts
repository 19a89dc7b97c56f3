import * as z from 'zod/mini'
import { isFrom } from '../derive/pending-calls'
import type { TurnDeriver } from '../derive/turn-deriver'
import { sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'

const ProjectRow = z.object({ project_id: z.string() })

/**
 * The projects in which a call has started. A project keeps its calls, deleted ones too, so only calls that were inserted since
 * the last time are looked at. Other processes write to a shared store, by clocks of their own: there all calls are. Of all
 * calls `call_starts` has the projects: of a hundred million it takes 50 ms, and `calls` some seconds.
 */
export class CallProjects {
  private readonly known = new Set<string>()
  /** All calls that were inserted before it are looked at, in microseconds. */
  private since = 0

  constructor(
    private readonly store: Store,
    private readonly deriver: Pick<TurnDeriver, 'storedBefore'>,
  ) {}

  async list(options: QueryOptions): Promise<ReadonlySet<string>> {
    const until = this.deriver.storedBefore
    const isOfAll = this.since === 0 || this.store.isShared
    const calls = isOfAll ? sql`call_starts` : sql`calls WHERE calls.started_at IS NOT NULL AND ${isFrom(this.since)}`
    const statement = sql`SELECT DISTINCT project_id FROM ${calls}`
    for (const row of await this.store.query(statement, ProjectRow, options)) this.known.add(row.project_id)
    this.since = Math.max(this.since, until)
    return this.known
  }
}
