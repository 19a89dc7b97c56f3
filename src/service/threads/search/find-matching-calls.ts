import * as z from 'zod/mini'
import { type MatchingCalls, maxMatchingCalls } from '../../../contract/matching-calls'
import type { FindMatchingCalls } from '../../../contract/matching-calls-requests'
import { fromFewRows } from '../../store/newest-rows'
import { count } from '../../store/row-types'
import { joinSql, sql, uint64 } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'
import { findConditions } from './thread-conditions'

type Request = z.output<typeof FindMatchingCalls>

const CallRow = z.object({ id: z.string(), condition_count: count, count })

/** The calls for which a search finds the thread. Flush the derivers of spends and words first. */
export async function findMatchingCalls(
  store: Store,
  { project_id, thread_id, filter }: Request,
  reader: QueryOptions,
): Promise<MatchingCalls> {
  const { ofCalls } = await findConditions(store, { project_id, filter: { ...filter, thread_ids: [thread_id] } }, reader)
  const wanted = ofCalls.filter(({ isWanted }) => isWanted)
  if (wanted.length === 0) return { call_ids: [], count: 0 }
  // A call that counts has one row in each table.
  const meetings = wanted.map(({ table, isSuch }) => sql`SELECT id, started_at ${fromFewRows(table, isSuch)}`)
  const rows = await store.query(
    sql`SELECT id, condition_count, count() OVER (PARTITION BY condition_count) AS count
FROM (SELECT id, min(started_at) AS started_at, count() AS condition_count FROM (${joinSql(meetings, ' UNION ALL ')}) GROUP BY id)
ORDER BY condition_count DESC, started_at, id LIMIT ${uint64(maxMatchingCalls)}`,
    CallRow,
    { ...reader, lane: 'scan', hasSlowStart: true },
  )
  const [first] = rows
  const best = rows.filter(({ condition_count: met }) => met === first?.condition_count)
  return { call_ids: best.map(({ id }) => id), count: first?.count ?? 0 }
}
