import * as z from 'zod/mini'
import { toEngineTime } from '../../../src/service/store/engine-time'
import { dateTime, type Sql, sql } from '../../../src/service/store/sql'
import type { Store } from '../../../src/service/store/store'
import { measureInterleaved } from '../report'
import { growthProject } from './load-narrow'
import { findWindows } from './pages'
import { openUnlimitedSession } from './unlimited-session'

const project_id = growthProject
const anyRow = z.looseObject({})

/** What the engine needs for what a page reads and nothing else. Medians in milliseconds. */
export async function measureFloors(store: Store, calls: number) {
  const windows = findWindows(calls)
  const within = ({ after, before }: { after: string; before: string }) =>
    sql`project_id = ${project_id} AND started_at > ${dateTime(toEngineTime(after))} AND started_at < ${dateTime(toEngineTime(before))}`
  const run = (statement: Sql) => () => store.query(statement, anyRow)
  return await measureInterleaved(
    {
      'select 1': run(sql`SELECT 1`),
      'scan of ids and p50': run(
        sql`SELECT max(thread_id), max(p50_turn_duration_ms) FROM threads WHERE project_id = ${project_id}`,
      ),
      'scan of the hour': run(
        sql`SELECT max(thread_id), max(id), max(started_at), max(ended_at) FROM turns_by_start WHERE ${within(windows.hour)}`,
      ),
      'scan of the 24 hours': run(
        sql`SELECT max(model), sum(prompt_tokens), sum(completion_tokens) FROM spent_calls WHERE ${within(windows.day)}`,
      ),
    },
    9,
  )
}

const percentiles = sql`SELECT thread_id, count() AS turn_count, min(started_at) AS start_time, max(ended_at) AS last_updated,
  argMin(id, started_at) AS first_turn_id, argMax(id, ended_at) AS last_turn_id,
  quantilesExactInclusive(0.5, 0.99)(dateDiff('microsecond', started_at, ended_at)) AS percentiles
FROM turns WHERE project_id = ${project_id}`

const firstThreads = (order: Sql) =>
  sql`thread_id IN (SELECT thread_id FROM turns WHERE project_id = ${project_id} GROUP BY thread_id ORDER BY ${order} DESC LIMIT 51)`

/**
 * What a service does that keeps turns, but no threads: it aggregates them when a page is asked for. At its best: it looks for no
 * second part and no retraction of a turn, which this store has none of; it computes percentiles only of the threads of the page,
 * where the order does not need them; all is in memory; and of two ways to aggregate, the faster one counts.
 */
const baselines = {
  'first page': sql`${percentiles} AND ${firstThreads(sql`max(ended_at)`)} GROUP BY thread_id ORDER BY last_updated DESC`,
  'by turn count': sql`${percentiles} AND ${firstThreads(sql`count()`)} GROUP BY thread_id ORDER BY turn_count DESC`,
  'by p99': sql`${percentiles} GROUP BY thread_id ORDER BY percentiles[2] DESC LIMIT 51`,
}

/** Medians in milliseconds. The store must be open without a limit of memory, on this folder. */
export async function measureBaselines(folder: string): Promise<Record<string, number>> {
  const session = openUnlimitedSession(folder)
  try {
    const fastest: Record<string, number> = {}
    for (const [name, statement] of Object.entries(baselines)) {
      const ms = await measureInterleaved(
        {
          inMemory: () => session.run(statement, 'optimize_aggregation_in_order = 0'),
          inKeyOrder: () => session.run(statement, 'optimize_aggregation_in_order = 1'),
        },
        3,
      )
      fastest[name] = Math.min(ms.inMemory, ms.inKeyOrder)
    }
    return fastest
  } finally {
    session.close()
  }
}
