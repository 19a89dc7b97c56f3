import * as z from 'zod/mini'
import type { CallsFilter } from '../../contract/call-requests'
import type { Query } from '../../contract/expression'
import { dateTime, type Sql, sql, uint64 } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { allOf, opNamesCondition, startConditions } from './call-conditions'
import { callsWhere } from '../store/merged-calls'

type Asked = {
  projectId: string
  filter: CallsFilter | undefined
  query: Query | undefined
  conditions: Sql
  direction: 'asc' | 'desc'
  limit: number
  offset: number
}

const Start = z.object({ started_at: z.string(), id: z.string() })

/** Pages that reach further are found by going through all calls. */
export const farthestFirst = 1000
const fewest = 8
const mostCandidates = 10_000
const words = { asc: sql`ASC`, desc: sql`DESC` }

/**
 * The ids of a page of calls in the order of their starts, found from that end of `call_starts`; undefined where too few
 * of the first are what is asked for. Exact: of the first rows there, the ids are those of every call that starts
 * within them, and a call whose own start lies beyond is left out.
 */
export async function firstCalls(
  store: Store,
  asked: Asked,
  options: QueryOptions,
  most = mostCandidates,
): Promise<string[] | undefined> {
  const needed = asked.offset + asked.limit
  for (const count of [needed + Math.max(fewest, needed >> 3), most]) {
    const ids = await pageOfFirst(store, asked, count, options)
    if (ids) return ids
  }
  return undefined
}

async function pageOfFirst(store: Store, asked: Asked, count: number, options: QueryOptions): Promise<string[] | undefined> {
  const { candidates, end } = await candidatesOf(store, asked, count, options)
  const word = words[asked.direction]
  const within =
    end &&
    sql`(assumeNotNull(started_at), id) ${asked.direction === 'asc' ? sql`<=` : sql`>=`} (${dateTime(end.started_at)}, ${end.id})`
  const page = await store.query(
    sql`SELECT id FROM ${callsWhere(asked.projectId, sql`id IN ${candidates}`)}
     WHERE ${allOf(within ? [asked.conditions, within] : [asked.conditions])}
     ORDER BY started_at ${word}, id ${word} LIMIT ${uint64(asked.limit)} OFFSET ${uint64(asked.offset)}`,
    z.object({ id: z.string() }),
    options,
  )
  return page.length === asked.limit || !end ? page.map(({ id }) => id) : undefined
}

/** The ids of the first rows, and the last of these where there are more. */
async function candidatesOf(store: Store, asked: Asked, count: number, options: QueryOptions) {
  const { filter = {}, direction } = asked
  const ofStart = startConditions(asked.query, asked.projectId)
  const parts = ofStart ? [ofStart] : []
  // A call whose parent is none has no part that says one.
  if (filter.trace_roots_only) parts.push(sql`parent_id = ''`)
  // Of conflicting parts the one that names the op may say a later start than the call's own. From the latest on it comes
  // before that, so the call is not missed; but it must not be judged by that start.
  if (filter.op_names?.length && direction === 'desc' && !ofStart) parts.push(opNamesCondition(filter.op_names))
  const word = words[direction]
  const rowCount = 2 * count
  const rows = await store.query(
    sql`SELECT started_at, id FROM call_starts WHERE project_id = ${asked.projectId} AND ${allOf(parts)}
     ORDER BY started_at ${word}, id ${word} LIMIT ${uint64(rowCount)}`,
    Start,
    options,
  )
  // A part that came twice has a row of its own until the engine has merged it away.
  const candidates = new Set<string>()
  for (const row of rows) {
    candidates.add(row.id)
    if (candidates.size === count) return { candidates: [...candidates], end: row }
  }
  return { candidates: [...candidates], end: rows.length === rowCount ? rows.at(-1) : undefined }
}

/**
 * The first calls with the starts under which they were found: the page, if these are the calls' own. Undefined where
 * parts that came again and again leave too few.
 */
export async function firstStarts(
  store: Store,
  projectId: string,
  direction: 'asc' | 'desc',
  limit: number,
  options: QueryOptions,
): Promise<Map<string, string> | undefined> {
  const word = words[direction]
  const rows = await store.query(
    sql`SELECT started_at, id FROM call_starts WHERE project_id = ${projectId}
     ORDER BY started_at ${word}, id ${word} LIMIT ${uint64(2 * limit)}`,
    Start,
    options,
  )
  const starts = new Map<string, string>()
  for (const { id, started_at: start } of rows) if (starts.size < limit && !starts.has(id)) starts.set(id, start)
  return starts.size === limit || rows.length < 2 * limit ? starts : undefined
}
