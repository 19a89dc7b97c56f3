import type * as z from 'zod/mini'
import { type streamThreads, type Thread, threadSortFields } from '../../contract/threads'
import { threadAggregates, threadColumnNames, ThreadRow } from '../derive/thread-columns'
import { latestFirst } from './ranking/thread-order'
import { toEngineTime } from '../store/engine-time'
import { limitOffset } from '../store/limit-offset'
import { columnsByName, orderBy } from '../store/order-by'
import { dateTime, joinSql, type Sql, sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'

type Input = z.output<typeof streamThreads.request>

const columnByField = columnsByName(threadSortFields)

/** The threads of a project, in batches. Call `TurnDeriver.flush` first. */
export function listThreads(store: Store, input: Input, options: QueryOptions = {}): AsyncIterable<Thread[]> {
  const order = orderBy(input.sort_by?.length ? input.sort_by : latestFirst, columnByField, sql`thread_id ASC`)
  return store.stream(sql`${selectThreads(input)} ${order} ${limitOffset(input)}`, ThreadRow, options)
}

type Selection = Pick<Input, 'project_id' | 'filter'>

/**
 * A SELECT of threads with their figures, without an order. `moreConditions` are on `thread_id`. The bounds of a window hold
 * for the start of each turn, so a window is computed from the turns. Without a window the table `threads` has the result.
 */
export function selectThreads(selection: Selection, moreConditions: readonly Sql[] = []): Sql {
  const { project_id: projectId, filter = {} } = selection
  if (filter.after_datetime !== undefined || filter.before_datetime !== undefined) {
    return sql`SELECT thread_id, ${threadAggregates} ${fromTurns(selection, moreConditions)} GROUP BY thread_id`
  }
  const conditions = [sql`project_id = ${projectId}`, sql`turn_count > 0`, ...isNamed(filter), ...moreConditions]
  return sql`SELECT thread_id, ${threadColumnNames} FROM threads FINAL WHERE ${joinSql(conditions, ' AND ')}`
}

/**
 * FROM and WHERE of the turns of a window. `turns_by_start` has the turns of a time side by side, `turns` those of a thread.
 * `moreConditions` are on `thread_id`.
 */
export function fromTurns({ project_id: projectId, filter = {} }: Selection, moreConditions: readonly Sql[] = []): Sql {
  const { after_datetime: after, before_datetime: before, thread_ids: threadIds = [] } = filter
  const conditions = [
    sql`project_id = ${projectId}`,
    sql`is_retracted = 0`,
    ...(after === undefined ? [] : [sql`started_at > ${dateTime(toEngineTime(after))}`]),
    ...(before === undefined ? [] : [sql`started_at < ${dateTime(toEngineTime(before))}`]),
    ...isNamed(filter),
    ...moreConditions,
  ]
  const table = threadIds.length > 0 ? sql`turns` : sql`turns_by_start`
  return sql`FROM ${table} FINAL WHERE ${joinSql(conditions, ' AND ')}`
}

function isNamed({ thread_ids: threadIds = [] }: NonNullable<Selection['filter']>): Sql[] {
  return threadIds.length === 0 ? [] : [sql`thread_id IN ${threadIds}`]
}
