import * as z from 'zod/mini'
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
/** Read with the page where some of its calls are deleted, or of another trace or thread by now. */
const usualSpareCalls = 50
/** A reader of a long thread or trace waits so long for what is derived. To go through its calls takes as long for 800, a second for 50,000. */
const maxWaitMs = 150

const StartRow = z.object({ started_at: engineTime, id: z.string() })
type StartRow = z.output<typeof StartRow>

type StartKnowledge = {
  /** Whether each call of the project is known to have one start. With `maxWaitMs: 0`, only if that takes no time. */
  hasSingleStarts: (
    projectId: string,
    options: Pick<QueryOptions, 'signal' | 'share'> & { maxWaitMs: number },
  ) => Promise<boolean>
}
export type IndexPageDeps = { store: Store; searches: StartKnowledge; selection: Selection; spareCalls?: number }

/**
 * The first or last calls of a trace or a thread by their start, in the time of the page and not of the trace: their starts are
 * read from an index, and then only the calls of the page. Undefined for any other query, and where that does not prove the page.
 *
 * An index has a row for each start that a part of a call reports together with the trace or the thread. A call's own start is
 * that of all of its parts, so it may be earlier than the row's, and never later:
 *
 * - Newest first, a call that is not read is after those that are, if theirs are their own starts.
 * - Oldest first, that is true where no call of the project has several starts (`restarted_calls`).
 */
export async function readIndexPage(
  { store, searches, selection, spareCalls = usualSpareCalls }: IndexPageDeps,
  query: CallsQuery,
  options: QueryOptions,
): Promise<MergedCallRow[] | undefined> {
  const { project_id: projectId, limit = Infinity, offset = 0 } = query
  const direction = callOrder(query.sort_by, projectId).startDirection
  const index = chooseIndex(query)
  const pageEnd = offset + limit
  if (!index || !direction || pageEnd > maxPageEnd) return undefined

  const order = direction === 'asc' ? sql`started_at ASC, id ASC` : sql`started_at DESC, id DESC`
  // A part that arrived twice has two rows until the engine merges them.
  const maxRows = 2 * (pageEnd + spareCalls)
  const starts = await store.query(
    sql`SELECT started_at, id FROM ${index} ORDER BY ${order} LIMIT ${uint64(maxRows)}`,
    StartRow,
    { ...options, isLookup: true },
  )
  const startById = firstStarts(starts)
  const hasAll = starts.length < maxRows
  const wait = hasAll ? { maxWaitMs: 0 } : { maxWaitMs, ...options }
  const isOrderKnown = direction === 'desc' || (await searches.hasSingleStarts(projectId, wait))

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

function firstStarts(rows: readonly StartRow[]): ReadonlyMap<string, string> {
  const startById = new Map<string, string>()
  for (const { id, started_at: start } of rows) if (!startById.has(id)) startById.set(id, start)
  return startById
}

/** The rows of the query's index with a WHERE. Undefined where the query asks for anything beside a trace or a thread. */
function chooseIndex({ project_id: projectId, filter = {}, query }: CallsQuery): Sql | undefined {
  const { trace_ids: traceIds, thread_ids: threadIds, ...others } = filter
  if (query !== undefined || Object.values(others).some((value) => value !== undefined)) return undefined
  if (traceIds?.length && !threadIds && !traceIds.includes('')) {
    return sql`trace_calls WHERE project_id = ${projectId} AND trace_id IN ${traceIds} AND started_at IS NOT NULL`
  }
  if (threadIds?.length && !traceIds) {
    return sql`call_starts WHERE project_id = ${projectId} AND thread_id != '' AND thread_id IN ${threadIds}`
  }
  return undefined
}
