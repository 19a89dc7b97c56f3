import * as z from 'zod/mini'
import { eventTopics, type EventTopic } from '../../contract/events'
import { isFrom } from '../derive/pending-calls'
import type { TurnDeriver } from '../derive/turn-deriver'
import { count } from '../store/row-types'
import { type Sql, sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'

/** The clocks of processes that share a server may differ by this much. */
const clockDifferenceUs = 60_000_000

const StateRow = z.object({
  /** How many parts of calls were inserted from the one time on, and from the other. */
  parts_before: count,
  parts_after: count,
  /** These differ where anything of them differs. */
  queues: z.string(),
  prices: z.string(),
})

type State = { from: number; parts: number; queues: string; prices: string }

/**
 * What changed in a project since it was last asked. Calls are found by their `inserted_at`, from a time on before which all
 * of them are stored: so a slow insert is found too, although others with a later time came before it. What other processes
 * write to the same server is found as well.
 */
export class ProjectChanges {
  private state: State | undefined

  constructor(
    private readonly store: Store,
    private readonly deriver: Pick<TurnDeriver, 'storedBefore'>,
    readonly projectId: string,
  ) {}

  /** Stands for all that `find` has found so far. */
  get id(): string {
    const { from, queues, prices } = this.state ?? nothing
    return `${from}.${queues}.${prices}`
  }

  /** The topics that changed since the last call. The first call finds nothing: it only says since when. */
  async find(options: QueryOptions = {}): Promise<EventTopic[]> {
    const until = this.deriver.storedBefore - (this.store.isShared ? clockDifferenceUs : 0)
    const last = this.state
    const [row] = await this.store.query(selectState(this.projectId, last?.from ?? until, until), StateRow, options)
    if (!row) return []
    this.state = { from: until, parts: row.parts_after, queues: row.queues, prices: row.prices }
    if (!last) return []
    return listTopics(row.parts_before !== last.parts, row, last)
  }

  /** The topics that changed since `id` was given out, by whatever process; all where it cannot be read. */
  async findSince(id: string, options: QueryOptions): Promise<EventTopic[]> {
    const [, from, queues, prices] = /^(\d{1,16})\.(\d{1,20})\.(\d{1,20})$/.exec(id) ?? []
    if (from === undefined || !this.state) return [...eventTopics]
    const calls = sql`SELECT id FROM calls WHERE project_id = ${this.projectId} AND ${isFrom(Number(from))} LIMIT 1`
    const hasCalls = (await this.store.query(calls, z.object({ id: z.string() }), options)).length > 0
    return listTopics(hasCalls, { queues, prices }, this.state)
  }
}

type OtherState = { queues: string | undefined; prices: string | undefined }

function listTopics(hasCalls: boolean, left: OtherState, right: OtherState): EventTopic[] {
  const changed: Record<EventTopic, boolean> = {
    threads: hasCalls,
    queues: left.queues !== right.queues,
    costs: hasCalls || left.prices !== right.prices,
  }
  return eventTopics.filter((topic) => changed[topic])
}

const nothing: State = { from: 0, parts: 0, queues: '0', prices: '0' }

/**
 * One row. The index of `inserted_at` leads to the few granules with new calls. What is in queues has rows that are only
 * added, so their number tells of a change; where the engine merges two of one key, which is rare, listeners are told once too
 * often. The other tables are small.
 */
function selectState(projectId: string, from: number, until: number): Sql {
  const isOfProject = sql`project_id = ${projectId}`
  return sql`SELECT toString(sum(before)) AS parts_before, toString(sum(after)) AS parts_after,
  toString(groupBitXor(queue)) AS queues, toString(groupBitXor(price)) AS prices
FROM (
  SELECT sum(part_count) AS before, sumIf(part_count, ${isFrom(until)}) AS after, toUInt64(0) AS queue, toUInt64(0) AS price
  FROM calls WHERE ${isOfProject} AND ${isFrom(from)}
  UNION ALL SELECT 0, 0, cityHash64(id, version), 0 FROM queues FINAL WHERE ${isOfProject}
  UNION ALL SELECT 0, 0, cityHash64('items', count()), 0 FROM queue_items WHERE ${isOfProject}
  UNION ALL SELECT 0, 0, cityHash64('marks', count()), 0 FROM queue_marks WHERE ${isOfProject}
  UNION ALL SELECT 0, 0, cityHash64('answers', count()), 0 FROM queue_answers WHERE ${isOfProject}
  UNION ALL SELECT 0, 0, 0, cityHash64(id, version) FROM costs FINAL WHERE ${isOfProject}
  UNION ALL SELECT 0, 0, 0, cityHash64('budget', version) FROM budgets FINAL WHERE ${isOfProject}
)`
}
