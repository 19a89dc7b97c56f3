import * as z from 'zod/mini'
import type { CallsFilter } from '../../contract/call-requests'
import type { Query } from '../../contract/expression'
import { allCalls, callsWhere } from '../store/merged-calls'
import { type Sql, sql, uint64 } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { opNamesCondition, startConditions } from './call-conditions'

/** Calls that may meet a query, as a subquery of merged calls: all calls of a project, or fewer that an index finds. */
export type CallSource = { sql: Sql; hasAllCalls: boolean }

const maxFoundIds = 1000
const maxFoundStarts = 100_000

// One of these is enough: the calls it finds still have to meet every condition. The first is usually the narrowest.
const indexedFilters = ['turn_ids', 'parent_ids', 'trace_ids', 'thread_ids'] as const
const indexByFilter: Record<(typeof indexedFilters)[number], Sql> = {
  turn_ids: sql`turn_id`,
  parent_ids: sql`parent_id`,
  trace_ids: sql`trace_id`,
  thread_ids: sql`thread_id`,
}

/** Chooses where to look. Every part of a call with one of these values has a row in `call_starts`, so no call is missed. */
export async function callSource(
  store: Store,
  projectId: string,
  { filter = {}, query }: { filter?: CallsFilter | undefined; query?: Query | undefined },
  options: QueryOptions,
): Promise<CallSource> {
  const callIds = filter.call_ids
  if (callIds?.length) return { sql: callsWhere(projectId, sql`id IN ${callIds}`), hasAllCalls: false }
  const key = indexedFilters.find((each) => filter[each]?.length)
  if (key) {
    // The turn of a conversation's span is the span itself, which no start says.
    const turnIds = key === 'turn_ids' ? (filter.turn_ids ?? []) : []
    return await sourceByStarts(store, projectId, sql`${indexByFilter[key]} IN ${filter[key] ?? []}`, turnIds, options)
  }
  const condition = startConditions(query, projectId) ?? (filter.op_names?.length ? opNamesCondition(filter.op_names) : undefined)
  const everything = { sql: allCalls(projectId), hasAllCalls: true }
  if (!condition) return everything
  const [found] = await store.query(
    sql`SELECT count() AS count FROM (
      SELECT 1 FROM call_starts WHERE project_id = ${projectId} AND ${condition} LIMIT ${uint64(maxFoundStarts + 1)})`,
    Counted,
    options,
  )
  return found && found.count > maxFoundStarts ? everything : await sourceByStarts(store, projectId, condition, [], options)
}

const Counted = z.object({ count: z.pipe(z.string(), z.transform(Number)) })

async function sourceByStarts(
  store: Store,
  projectId: string,
  condition: Sql,
  moreIds: readonly string[],
  options: QueryOptions,
): Promise<CallSource> {
  const ids = sql`SELECT id FROM call_starts WHERE project_id = ${projectId} AND ${condition}`
  const found = await store.query(sql`${ids} GROUP BY id LIMIT ${uint64(maxFoundIds + 1)}`, z.object({ id: z.string() }), options)
  const foundIds = [...new Set([...found.map(({ id }) => id), ...moreIds])]
  const idCondition =
    found.length + moreIds.length > maxFoundIds ? sql`(id IN (${ids}) OR id IN ${moreIds})` : sql`id IN ${foundIds}`
  return { sql: callsWhere(projectId, idCondition), hasAllCalls: false }
}
