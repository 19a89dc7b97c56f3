import * as z from 'zod/mini'
import type { Query } from '../../contract/expression'
import type { Direction } from '../../contract/request'
import { toEngineTime } from '../store/engine-time'
import { allRows, limitOffset } from '../store/limit-offset'
import { isNotDeleted } from '../store/merged-calls'
import { count, engineTime } from '../store/row-types'
import { dateTime, type Sql, sql, uint64 } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { allOf, type CallConditions, type CallsQuery, isOfStart, opNamesCondition, startConditions } from './call-conditions'
import { callOrder } from './call-order'
import type { IndexPageDeps } from './read-index-page'

// Pages and counts of all calls of a project, of those of a time, of some ops or without a parent. They are found in `call_starts`,
// without looking at the calls.
//
// The starts of all calls have to be known as consistent: then the rows of a call follow each other. A call with a row that meets
// the conditions on its op and its parent meets them itself if all its rows do. So where one has another row too, the calls are
// searched.

/**
 * A page of all calls that ends later is searched. With older versions of the engine, what a page takes in memory grows with its
 * offset.
 */
const maxEnd = 10_000_000
/** The same for a page of an op or of roots: the ids of all calls up to its end are compared. */
const maxEndOfSome = 1_000_000
const maxPageOfSome = 10_000
/** A page of an op or of roots that ends later is read as a scan, which gives way to other readers. */
const maxEarlyEnd = 1000
/**
 * A page that ends within so many calls is read from the first rows of the index. For later pages, sorting these rows takes longer
 * than it saves.
 */
const maxEndOfFirstRows = 100_000
/** How many more rows are read than the page needs, because a call may have several. */
const spareRows = 1000

const FoundRow = z.object({ id: z.string(), started_at: engineTime, row_count: z.number() })
const IdRow = z.object({ id: z.string(), started_at: engineTime })
const CountRow = z.object({ count })
type FoundCall = z.output<typeof IdRow>

/** Which calls of a project a query asks for, as conditions on columns that `call_starts` has. */
type StartedCalls = {
  projectId: string
  /** A condition on the start and the id of a call. */
  ofStart: Sql
  /** A condition on its op and its parent, undefined for all calls. */
  ofCall: Sql | undefined
}
/** A page of them in the order of their starts. */
type StartPage = StartedCalls & { direction: Direction; limit: number; offset: number }
/** `isScan`: reading the page may take long. */
type PlannedPage = StartPage & { isScan: boolean }

/** The ids of a page by start. Undefined for any other query, and where the calls have to be searched. */
export async function findIdsByStart(
  { store, searches }: IndexPageDeps,
  query: CallsQuery,
  options: QueryOptions,
): Promise<AsyncIterable<readonly string[]> | undefined> {
  const page = toStartPage(query)
  if (!page || !(await searches.areConsistent(undefined, page.projectId, options))) return undefined
  const { ofCall, isScan } = page
  const own = isScan ? { ...options, lane: 'scan' as const } : options
  const batches = readPage(store, page, own)
  const first = await batches.next()
  const calls = first.done ? [] : first.value
  const hasOthers = ofCall && (await hasDifferentRows(store, page, ofCall, isUpToEnd(page, calls), own))
  // A part may have arrived since, with another start of its call.
  if (!hasOthers && (await searches.areConsistent(undefined, page.projectId, options))) return toIds(calls, batches)
  await batches.return(undefined)
  return undefined
}

/** How many calls meet a query, up to its limit. Undefined for any other query, and where the calls have to be searched. */
export async function countByStart(
  { store, searches }: IndexPageDeps,
  query: Omit<CallsQuery, 'sort_by' | 'offset'>,
  options: QueryOptions,
): Promise<number | undefined> {
  const calls = toStartedCalls(query)
  // A server may be of an older version, which remembers all calls that it has counted.
  if (!calls || store.isShared || !(await searches.areConsistent(undefined, calls.projectId, options))) return undefined
  const scan = { ...options, lane: 'scan' as const }
  if (calls.ofCall && (await hasDifferentRows(store, calls, calls.ofCall, sql`1`, scan))) return undefined
  const all = { ...calls, direction: 'asc' as const, limit: query.limit ?? allRows, offset: 0 }
  const [row] = await store.query(sql`SELECT count() AS count FROM (${selectPage(all)})`, CountRow, scan)
  return (await searches.areConsistent(undefined, calls.projectId, options)) ? row?.count : undefined
}

function toStartPage(query: CallsQuery): PlannedPage | undefined {
  const { project_id: projectId, sort_by: sortBy, limit = Infinity, offset = 0 } = query
  const direction = callOrder(sortBy, projectId).startDirection
  const calls = toStartedCalls(query)
  const end = offset + limit
  if (!direction || !calls || end > (calls.ofCall ? maxEndOfSome : maxEnd)) return undefined
  if (calls.ofCall && limit > maxPageOfSome) return undefined
  const isScan = query.query !== undefined || (calls.ofCall !== undefined && end > maxEarlyEnd)
  return { ...calls, direction, limit, offset, isScan }
}

function toStartedCalls({ project_id: projectId, filter = {}, query }: CallConditions): StartedCalls | undefined {
  const { op_names: opNames, trace_roots_only: isRoot, ...others } = filter
  const hasOthers = Object.values(others).some((values) => values !== undefined && values.length > 0)
  if (hasOthers || (query && !namesOnlyStarts(query))) return undefined
  const conditions = [...(opNames?.length ? [opNamesCondition(opNames)] : []), ...(isRoot ? [sql`parent_id = ''`] : [])]
  const ofStart = startConditions(query, projectId) ?? sql`1`
  return { projectId, ofStart, ofCall: conditions.length > 0 ? allOf(conditions) : undefined }
}

/** Whether the query is a condition on starts and ids and nothing else. */
function namesOnlyStarts(query: Query): boolean {
  const operands = '$and' in query.$expr ? query.$expr.$and : [query.$expr]
  return operands.every(isOfStart)
}

/** A page of some calls is one batch. */
async function* readPage(store: Store, page: StartPage, options: QueryOptions): AsyncGenerator<readonly FoundCall[], undefined> {
  const { limit, offset, ofCall } = page
  const maxRows = offset + limit + spareRows
  if (offset + limit <= maxEndOfFirstRows) {
    const found = await store.query(selectPageOfFirstRows(page, maxRows), FoundRow, { ...options, lookup: 'ordered' })
    const [first] = found
    // Otherwise many calls have several rows, so these rows do not reach the end of the page; or the page is behind the last call.
    if (found.length === limit || (first && first.row_count < maxRows)) return yield found
  }
  if (ofCall) yield await store.query(selectPage(page), IdRow, options)
  else yield* store.stream(selectPage(page), IdRow, { ...options, hasSlowStart: true })
}

/** The rows of a call follow each other, so the engine needs no memory for those it has read. */
function selectPage(page: StartPage): Sql {
  return sql`SELECT id, started_at ${fromStarts(page)} ${orderOf(page)} LIMIT 1 BY started_at, id ${limitOffset(page)}`
}

/**
 * The same page from the first `maxRows` rows of the index. With LIMIT BY alone the engine reads on in all parts of the table: among
 * ten million calls in 12 parts, the first page took 180 ms instead of 38, and the one from call 50,000 on 179 instead of 72.
 * `row_count`: how many rows there are, at most `maxRows`.
 */
function selectPageOfFirstRows(page: StartPage, maxRows: number): Sql {
  return sql`SELECT id, started_at, row_count FROM (
  SELECT id, started_at, toUInt32(count() OVER ()) AS row_count
  FROM (SELECT id, started_at ${fromStarts(page)} ${orderOf(page)} LIMIT ${uint64(maxRows)})
) ${orderOf(page)} LIMIT 1 BY started_at, id ${limitOffset(page)}`
}

/**
 * Whether a call has a row that meets `ofCall` and one that does not. `isInReach`, a condition on the start, says which calls are
 * looked at. Without the setting, the engine looks up each id in the index of the table: for a million ids the statement took 2200 ms,
 * with it 380.
 */
async function hasDifferentRows(
  store: Store,
  { projectId, ofStart }: StartedCalls,
  ofCall: Sql,
  isInReach: Sql,
  options: QueryOptions,
): Promise<boolean> {
  const from = sql`FROM call_starts WHERE project_id = ${projectId} AND ${isInReach} AND ${ofStart}`
  const statement = sql`SELECT id, started_at FROM (
  SELECT id, started_at ${from} AND NOT (${ofCall}) AND id IN (SELECT id ${from} AND ${ofCall}) LIMIT 1
  SETTINGS use_index_for_in_with_subqueries = 0)`
  return (await store.query(statement, IdRow, options)).length > 0
}

/** A condition on the starts of all calls up to the last of a page. */
function isUpToEnd({ direction, limit }: StartPage, calls: readonly FoundCall[]): Sql {
  const last = calls.length === limit ? calls.at(-1) : undefined
  const comparison = direction === 'asc' ? sql`<=` : sql`>=`
  return last ? sql`started_at ${comparison} ${dateTime(toEngineTime(last.started_at))}` : sql`1`
}

/** Each call has one start, and may have several rows. */
function fromStarts({ projectId, ofStart, ofCall = sql`1` }: StartPage): Sql {
  return sql`FROM call_starts
  WHERE project_id = ${projectId} AND ${ofStart} AND ${ofCall} AND ${isNotDeleted(sql`id`, projectId)}`
}

function orderOf({ direction }: StartPage): Sql {
  return direction === 'asc' ? sql`ORDER BY started_at ASC, id ASC` : sql`ORDER BY started_at DESC, id DESC`
}

async function* toIds(first: readonly FoundCall[], rest: AsyncIterable<readonly FoundCall[]>): AsyncGenerator<string[]> {
  yield first.map(({ id }) => id)
  for await (const calls of rest) yield calls.map(({ id }) => id)
}
