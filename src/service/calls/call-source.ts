import * as z from 'zod/mini'
import type { CallsFilter } from '../../contract/call-queries'
import type { Query } from '../../contract/expression'
import type { QueryOptions, Store } from '../store/store'
import { allOf, type Condition, opNamesCondition, startConditions } from './call-conditions'
import { callsWhere, everyCall } from '../store/merged-calls'

/** The calls that may meet what is asked, as a subquery of merged calls: all of a project's, or fewer that are found by index. */
export type CallSource = Condition & { isWhole: boolean }

const mostFew = 1000
const mostSome = 100_000

const starts = `call_starts WHERE project_id = {project_id:String}`

// One of these is enough: what it finds is judged by all conditions. The first is the narrowest as a rule.
const indexed = ['turn_ids', 'parent_ids', 'trace_ids', 'thread_ids'] as const
const inIndex: Record<(typeof indexed)[number], string> = {
  turn_ids: 'turn_id IN {turn_ids:Array(String)}',
  parent_ids: 'parent_id IN {parent_ids:Array(String)}',
  trace_ids: 'trace_id IN {trace_ids:Array(String)}',
  thread_ids: 'thread_id IN {thread_ids:Array(String)}',
}

/** Chooses where to look. Whatever a part of a call says, the row of its start says too, so nothing is missed. */
export async function callSource(
  store: Store,
  projectId: string,
  { filter = {}, query }: { filter?: CallsFilter | undefined; query?: Query | undefined },
  options: QueryOptions,
): Promise<CallSource> {
  const named = filter.call_ids
  if (named?.length) {
    const sql = callsWhere('id IN {call_ids:Array(String)}')
    return { sql, params: { call_ids: named }, isWhole: false }
  }
  const key = indexed.find((each) => filter[each]?.length)
  if (key) {
    // The turn of a conversation's span is its own, and no start says so.
    const own = key === 'turn_ids' ? (filter.turn_ids ?? []) : []
    return await sourceByStarts(store, projectId, { sql: inIndex[key], params: { [key]: filter[key] ?? [] } }, own, options)
  }
  const condition = startConditions(query) ?? (filter.op_names?.length ? opNamesCondition(filter.op_names) : undefined)
  const everything: CallSource = { sql: everyCall, params: {}, isWhole: true }
  if (!condition) return everything
  const count = `SELECT count() AS count FROM (SELECT 1 FROM ${starts} AND ${condition.sql} LIMIT ${mostSome + 1})`
  const [found] = await store.query(count, { ...condition.params, project_id: projectId }, Counted, options)
  return found && found.count > mostSome ? everything : await sourceByStarts(store, projectId, condition, [], options)
}

const Counted = z.object({ count: z.pipe(z.string(), z.transform(Number)) })

async function sourceByStarts(
  store: Store,
  projectId: string,
  condition: Condition,
  more: readonly string[],
  options: QueryOptions,
): Promise<CallSource> {
  const ids = `SELECT id FROM ${starts} AND ${condition.sql}`
  const params = { ...condition.params, project_id: projectId }
  const found = await store.query(`${ids} GROUP BY id LIMIT ${mostFew + 1}`, params, z.object({ id: z.string() }), options)
  if (found.length + more.length > mostFew) {
    const either = allOf([{ sql: `id IN (${ids}) OR id IN {more_ids:Array(String)}`, params: { more_ids: more } }])
    return { sql: callsWhere(either.sql), params: { ...params, ...either.params }, isWhole: false }
  }
  const fewIds = [...new Set([...found.map(({ id }) => id), ...more])]
  return { sql: callsWhere('id IN {few_ids:Array(String)}'), params: { few_ids: fewIds }, isWhole: false }
}
