import * as z from 'zod/mini'
import type { Direction } from '../../contract/request'
import { limitOffset } from '../store/limit-offset'
import { isNotDeleted } from '../store/merged-calls'
import { engineTime } from '../store/row-types'
import { type Sql, sql, uint64 } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { callConditions } from './call-conditions'
import { callOrder } from './call-order'
import { type MergedCallRow, readMatchingRows, type Selection } from './call-rows'
import type { CallsQuery } from './find-call-ids'

/** A page ends within so many calls: all of them are read. */
const maxPageEnd = 300
/** All calls of a trace or a thread are read if they are no more than this. */
const maxCalls = 128
/** Read with the page where some of its calls are deleted, or of another trace or thread by now. Tests take fewer. */
const usualSpareCalls = 50

const StartRow = z.object({ started_at: engineTime, id: z.string() })
type StartRow = z.output<typeof StartRow>
const IdRow = z.object({ id: z.string() })

type ConsistencyChecks = {
  /** Whether the parts of each of these calls, a SELECT of ids, agree. With `isKnown`, calls that are not derived yet are not looked at. */
  areConsistent: (callIds: Sql, projectId: string, options: QueryOptions & { isKnown?: boolean }) => Promise<boolean>
}
export type IndexPageDeps = { store: Store; searches: ConsistencyChecks }

/** The calls of a trace or a thread in the order of their starts. `rows` is the index: FROM and WHERE, with `started_at` and `id`. */
type IndexQuery = { rows: Sql; direction: Direction }

/**
 * The first or last calls of a trace or a thread by their start, in the time of the page and not of the trace: their starts are
 * read from an index, and then only the calls of the page. Undefined for any other query, and where that does not prove the page.
 *
 * An index has a row for each start that a part of a call reports together with the trace or the thread. A call's own start is
 * that of all of its parts, so it may be earlier than the row's, and never later:
 *
 * - Newest first, a call that is not read is after those that are, if theirs are their own starts.
 * - Oldest first, that is true where none of the calls is inconsistent (`inconsistent_calls`).
 */
export async function readIndexPage(
  { store, searches, selection, spareCalls = usualSpareCalls }: IndexPageDeps & { selection: Selection; spareCalls?: number },
  query: CallsQuery,
  options: QueryOptions,
): Promise<MergedCallRow[] | undefined> {
  const { project_id: projectId, limit = Infinity, offset = 0 } = query
  const index = chooseIndex(query)
  const pageEnd = offset + limit
  if (!index || pageEnd > maxPageEnd) return undefined

  const order = index.direction === 'asc' ? sql`started_at ASC, id ASC` : sql`started_at DESC, id DESC`
  // A part that arrived twice has two rows until the engine merges them.
  const maxRows = 2 * (pageEnd + spareCalls)
  const starts = await store.query(
    sql`SELECT started_at, id ${index.rows} ORDER BY ${order} LIMIT ${uint64(maxRows)}`,
    StartRow,
    { ...options, isLookup: true },
  )
  const startById = firstStarts(starts)
  const hasAll = starts.length < maxRows
  const isOrderKnown =
    index.direction === 'desc' ||
    (await searches.areConsistent(sql`SELECT id ${index.rows}`, projectId, { ...options, isKnown: hasAll }))

  const ids = [...startById.keys()]
  const read = async (count: number) => {
    const page = { ids: ids.slice(0, count), condition: callConditions(query), order: sql`ORDER BY ${order}`, selection }
    return await readMatchingRows(store, projectId, page, options)
  }
  if (isOrderKnown) {
    for (const count of [pageEnd, pageEnd + spareCalls]) {
      if (hasAll && count >= ids.length) break
      const rows = await read(count)
      if (!rows.every((row) => row.started_at === startById.get(row.id))) break
      if (rows.length >= pageEnd) return rows.slice(offset, pageEnd)
    }
  }
  return hasAll && ids.length <= maxCalls ? (await read(ids.length)).slice(offset, pageEnd) : undefined
}

/**
 * The ids of any page of a trace or a thread, or of all of its calls, by their start. They are those of an index, without looking at
 * the calls. Undefined for any other query, and where the calls are not known to be consistent.
 */
export async function findIdsByIndex(
  { store, searches }: IndexPageDeps,
  query: CallsQuery,
  options: QueryOptions,
): Promise<AsyncIterable<readonly string[]> | undefined> {
  const { project_id: projectId } = query
  const index = chooseIndex(query)
  if (!index) return undefined
  if (!(await searches.areConsistent(sql`SELECT id ${index.rows}`, projectId, options))) return undefined
  const order = index.direction === 'asc' ? sql`min(started_at) ASC, id ASC` : sql`min(started_at) DESC, id DESC`
  const isShown = isNotDeleted(sql`id`, projectId, sql`SELECT id ${index.rows}`)
  const statement = sql`SELECT id ${index.rows} AND ${isShown} GROUP BY id ORDER BY ${order} ${limitOffset(query)}`
  const lane = query.limit === undefined ? { lane: 'scan' as const } : {}
  return toIds(store.stream(statement, IdRow, { ...options, ...lane, hasSlowStart: true }))
}

async function* toIds(batches: AsyncIterable<readonly { id: string }[]>): AsyncGenerator<readonly string[]> {
  for await (const rows of batches) yield rows.map(({ id }) => id)
}

function firstStarts(rows: readonly StartRow[]): ReadonlyMap<string, string> {
  const startById = new Map<string, string>()
  for (const { id, started_at: start } of rows) if (!startById.has(id)) startById.set(id, start)
  return startById
}

/** Undefined where the query asks for anything beside a trace or a thread, or for another order. */
function chooseIndex({ project_id: projectId, filter = {}, query, sort_by: sortBy }: CallsQuery): IndexQuery | undefined {
  const { trace_ids: traceIds, thread_ids: threadIds, ...others } = filter
  const direction = callOrder(sortBy, projectId).startDirection
  if (!direction || query !== undefined || Object.values(others).some((value) => value !== undefined)) return undefined
  if (traceIds?.length && !threadIds && !traceIds.includes('')) {
    const rows = sql`FROM trace_calls WHERE project_id = ${projectId} AND trace_id IN ${traceIds} AND started_at IS NOT NULL`
    return { rows, direction }
  }
  if (threadIds?.length && !traceIds) {
    const rows = sql`FROM call_starts WHERE project_id = ${projectId} AND thread_id != '' AND thread_id IN ${threadIds}`
    return { rows, direction }
  }
  return undefined
}
