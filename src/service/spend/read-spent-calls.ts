import * as z from 'zod/mini'
import { engineTime, textOrNull } from '../store/row-types'
import { dateTime, identifier, joinSql, sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { fromUsageColumns, parseShares, usageColumns, UsageCounts } from './spent-row'

const SpentCall = z.pipe(
  z.object({
    id: z.string(),
    started_at: engineTime,
    provider: textOrNull,
    model: z.string(),
    ...UsageCounts,
    shares: z.string(),
  }),
  z.transform(({ id, started_at: startedAt, provider, model, shares, ...columns }) => ({
    id,
    startedAt,
    provider,
    shares: shares === '' ? [{ model, usage: fromUsageColumns(columns) }] : parseShares(shares),
  })),
)
type SpentCall = z.infer<typeof SpentCall>

type Range = {
  projectId: string
  threadId: string
  /** The engine's text, both inclusive. The table is by time, so only what lies between is read. */
  firstStart: string
  lastStart: string
}

/** The calls of a thread that spent something themselves. Call `SpendDeriver.flush` first. */
export function readSpentCalls(
  store: Store,
  { projectId, threadId, firstStart, lastStart }: Range,
  options: QueryOptions,
): AsyncIterable<SpentCall[]> {
  const columns = usageColumns.map((column) => sql`toFloat64(${identifier(column)}) AS ${identifier(column)}`)
  return store.stream(
    sql`SELECT id, started_at, provider, model, ${joinSql(columns, ', ')}, shares FROM spent_calls FINAL
WHERE project_id = ${projectId} AND started_at >= ${dateTime(firstStart)} AND started_at <= ${dateTime(lastStart)}
  AND thread_id = ${threadId} AND is_spent = 1`,
    SpentCall,
    options,
  )
}
