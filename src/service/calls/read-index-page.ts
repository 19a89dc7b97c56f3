import * as z from 'zod/mini'
import { compareText } from '../../contract/compare-text'
import type { Direction } from '../../contract/request'
import { toEngineTime } from '../store/engine-time'
import { limitOffset } from '../store/limit-offset'
import { isNotDeleted, type TimeRange } from '../store/merged-calls'
import { engineTime, flag } from '../store/row-types'
import { type Sql, sql, uint64 } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import type { CallsQuery } from './call-conditions'
import { callOrder } from './call-order'
import { readCallRows, type Selection } from './call-rows'
import type { MergedCallRow } from './stored-call-row'

/** A page ends within so many calls: all of them are read. */
const maxPageEnd = 300
/** All calls of a trace or a thread are read if they are no more than this. */
const maxCalls = 128
/** Read with the page where some of its calls are deleted, or of another trace or thread by now. Tests take fewer. */
const usualSpareCalls = 50

const StartRow = z.object({ started_at: engineTime, id: z.string(), trace_id: z.string(), is_span: flag })
type StartRow = z.output<typeof StartRow>
const IdRow = z.object({ id: z.string() })

type ConsistencyChecks = {
  /** Whether the parts of each of these calls, a SELECT of ids, or of all calls agree. With `isKnown`, calls that are not derived yet are not looked at. */
  areConsistent: (callIds: Sql | undefined, projectId: string, options: QueryOptions & { isKnown?: boolean }) => Promise<boolean>
}
export type IndexPageDeps = { store: Store; searches: ConsistencyChecks }

type PageReading = {
  selection: Selection
  spareCalls?: number
  /** Told which calls the page will most likely have, before they are read. */
  expect?: (calls: readonly ExpectedCall[]) => void
}
export type ExpectedCall = Pick<StartRow, 'id' | 'trace_id' | 'is_span'>

/** The calls of a trace or a thread in the order of their starts. */
type IndexQuery = {
  /** The index: FROM and WHERE, with `started_at`, `id`, `trace_id` and `is_span`. */
  rows: Sql
  direction: Direction
  /** Whether a call is in the trace or the thread. */
  isOf: (call: Pick<MergedCallRow, 'trace_id' | 'thread_id'>) => boolean
}

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
  { store, searches, selection, spareCalls = usualSpareCalls, expect }: IndexPageDeps & PageReading,
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
  const found = await store.query(
    sql`SELECT started_at, id, trace_id, is_span ${index.rows} ORDER BY ${order} LIMIT ${uint64(maxRows)}`,
    StartRow,
    { ...options, lookup: 'narrow' },
  )
  const firstById = findFirst(found)
  expect?.(findPageCalls([...firstById.values()], offset, pageEnd))
  const hasAll = found.length < maxRows
  const ids = [...firstById.keys()]
  const columns = new Set([...selection.columns, 'trace_id', 'thread_id'] as const)
  const read = async (count: number) => {
    const some = ids.slice(0, count)
    const starts = areStartsKnown ? toRange(some.flatMap((id) => firstById.get(id)?.started_at ?? [])) : undefined
    const rows = await readCallRows(store, projectId, some, { ...selection, columns }, { ...options, starts })
    return rows.filter(index.isOf)
  }
  // All calls need no proof.
  const counts = [pageEnd, pageEnd + spareCalls].filter((count) => !hasAll || count < ids.length)
  const needsProof = index.direction === 'asc' && counts.length > 0
  // For a whole project it is remembered, so this takes no statement.
  const isProjectKnown = await searches.areConsistent(undefined, projectId, { ...options, isKnown: true })
  const isOrderKnown =
    !needsProof ||
    isProjectKnown ||
    searches.areConsistent(sql`SELECT id ${index.rows}`, projectId, { ...options, isKnown: hasAll })
  // What is known is known at once; else the calls are looked at while the page is read.
  const isRead = !hasAll || (await isOrderKnown)
  // Then no part of these calls reports another start.
  const areStartsKnown = isProjectKnown || (needsProof && hasAll && isRead)
  for (const count of isRead ? counts : []) {
    const [isKnown, rows] = await Promise.all([isOrderKnown, read(count)])
    if (!isKnown || !rows.every((row) => row.started_at === firstById.get(row.id)?.started_at)) break
    if (rows.length >= pageEnd) return rows.slice(offset, pageEnd)
  }
  if (!hasAll || ids.length > maxCalls) return undefined
  return (await read(ids.length)).toSorted(byStart(index.direction)).slice(offset, pageEnd)
}

/**
 * The ids of any page of a trace or a thread, or of all its calls, by their start. They are those of an index, without looking at the
 * calls. Undefined for any other query, and where the calls are not known to be consistent.
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

function findFirst(rows: readonly StartRow[]): ReadonlyMap<string, StartRow> {
  const firstById = new Map<string, StartRow>()
  for (const row of rows) if (!firstById.has(row.id)) firstById.set(row.id, row)
  return firstById
}

/** The calls of a page, and others of their traces that are known. */
function findPageCalls(calls: readonly StartRow[], from: number, to: number): StartRow[] {
  const traceIds = new Set(calls.slice(from, to).map((call) => call.trace_id))
  return calls.filter((call) => traceIds.has(call.trace_id))
}

/** Undefined where the query asks for anything beside a trace or a thread, or for another order. */
function chooseIndex({ project_id: projectId, filter = {}, query, sort_by: sortBy }: CallsQuery): IndexQuery | undefined {
  const { trace_ids: traceIds, thread_ids: threadIds, ...others } = filter
  const direction = callOrder(sortBy, projectId).startDirection
  if (!direction || query !== undefined || Object.values(others).some((value) => value !== undefined)) return undefined
  if (traceIds?.length && !threadIds && !traceIds.includes('')) {
    const rows = sql`FROM trace_calls WHERE project_id = ${projectId} AND trace_id IN ${traceIds} AND started_at IS NOT NULL`
    const wanted = new Set(traceIds)
    return { rows, direction, isOf: (call) => wanted.has(call.trace_id) }
  }
  if (threadIds?.length && !traceIds) {
    const rows = sql`FROM call_starts WHERE project_id = ${projectId} AND thread_id != '' AND thread_id IN ${threadIds}`
    const wanted = new Set(threadIds)
    return { rows, direction, isOf: ({ thread_id: threadId }) => Boolean(threadId && wanted.has(threadId)) }
  }
  return undefined
}

/** Of times in either order. */
function toRange(times: readonly string[]): TimeRange | undefined {
  const ends = [times[0], times.at(-1)].flatMap((time) => (time === undefined ? [] : toEngineTime(time)))
  const [first, last] = ends.toSorted(compareText)
  return first === undefined || last === undefined ? undefined : { first, last }
}

function byStart(direction: Direction) {
  const sign = direction === 'asc' ? 1 : -1
  return (left: MergedCallRow, right: MergedCallRow) =>
    sign * (compareText(toEngineTime(left.started_at), toEngineTime(right.started_at)) || compareText(left.id, right.id))
}
