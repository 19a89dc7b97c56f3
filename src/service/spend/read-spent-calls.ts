import * as z from 'zod/mini'
import { engineTime, textOrNull } from '../store/row-types'
import { dateTime, identifier, joinSql, sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { fromUsageColumns, parseShares, usageColumns, UsageCounts } from './spent-row'

const SpentCall = z.pipe(
  z.object({
    id: z.string(),
    thread_id: z.string(),
    started_at: engineTime,
    provider: textOrNull,
    model: z.string(),
    ...UsageCounts,
    shares: z.string(),
  }),
  z.transform(({ id, thread_id: threadId, started_at: startedAt, provider, model, shares, ...columns }) => ({
    id,
    threadId,
    startedAt,
    provider,
    shares: shares === '' ? [{ model, usage: fromUsageColumns(columns) }] : parseShares(shares),
  })),
)
type SpentCall = z.infer<typeof SpentCall>

type Selection = {
  projectId: string
  threadIds: readonly string[]
  /** Instants in the engine's text, both inclusive. The table is by time, so only what lies between is read. */
  starts?: { first: string; last: string }
}

/** The calls of threads that spent something themselves. Call `SpendDeriver.flush` first. */
export function readSpentCalls(
  store: Store,
  { projectId, threadIds, starts }: Selection,
  options: QueryOptions,
): AsyncIterable<SpentCall[]> {
  const isBetween = starts ? sql`AND started_at >= ${dateTime(starts.first)} AND started_at <= ${dateTime(starts.last)}` : sql``
  const columns = usageColumns.map((column) => sql`toFloat64(${identifier(column)}) AS ${identifier(column)}`)
  return store.stream(
    sql`SELECT id, thread_id, started_at, provider, model, ${joinSql(columns, ', ')}, shares FROM spent_calls FINAL
WHERE project_id = ${projectId} ${isBetween} AND thread_id IN ${threadIds} AND thread_id != '' AND is_spent = 1`,
    SpentCall,
    options,
  )
}
