import * as z from 'zod/mini'
import type { Direction } from '../../contract/request'
import { allCalls, callsWhere, isNotDeleted } from '../store/merged-calls'
import { limitOffset } from '../store/limit-offset'
import { count, engineTime } from '../store/row-types'
import { dateTime, type Sql, sql, uint64 } from '../store/sql'
import type { QueryOptions, Store, StreamOptions } from '../store/store'
import { toEngineTime } from '../store/engine-time'
import { allOf, callConditions, type CallsQuery, dependsOnTurns, opNamesCondition, startConditions } from './call-conditions'
import { callOrder } from './call-order'
import { findIdsByStart } from './calls-by-start'
import type { IndexPageDeps } from './read-index-page'

/** Pages that are found among the first starts end within so many calls. */
const maxPageEnd = 1000
/** How many starts a page by index examines at most before it gives up. */
const maxExaminedStarts = 10_000
/** Starts examined beyond those the page needs, because some calls do not match. */
const minSpareStarts = 8
/** An index is used for a condition that at most so many starts meet. */
const maxFoundStarts = 100_000
/** So many ids are sent back to the engine; more are found again by a subquery. */
const maxFoundIds = 1000

const IdRow = z.object({ id: z.string() })

/**
 * Finds the calls of a query, in its order: their ids only, so nothing wide is sorted. Where the order is that of the starts and
 * no index narrows the query (`chooseSource` finds all calls), these are tried first, in this order:
 *
 * - `findEarlyPage`: a page within the first 1000 calls, where a filter leaves out few calls. It reads the first rows of `call_starts`
 *   and their calls.
 * - `findIdsByStart`: any page, where only starts, ops or roots are filtered. It reads `call_starts` alone.
 * - `findPageByStart`: a page within the first 1000 calls. It reads the first 10,000 rows of `call_starts` and their calls.
 *
 * Everything else is searched: the calls of `chooseSource` are filtered, sorted and cut.
 */
export async function* findCallIds(
  deps: IndexPageDeps,
  query: CallsQuery,
  source: CallSource,
  options: QueryOptions,
): AsyncGenerator<readonly string[]> {
  const { store } = deps
  const early = source.hasAllCalls ? toEarlyPage(query) : undefined
  const few = early && (await findEarlyPage(store, early, options))
  if (few) return yield few
  const byStart = source.hasAllCalls ? await findIdsByStart(deps, query, options) : undefined
  if (byStart) return yield* byStart
  const many = early && (await findPageByStart(store, early, options))
  if (many) return yield many
  const statement = sql`SELECT id FROM ${source.sql} WHERE ${callConditions(query)} ${toPageOrder(query)}`
  for await (const rows of store.stream(statement, IdRow, inLaneOf(source, query, options))) yield rows.map(({ id }) => id)
}

/** The order of the calls of a query, and which of them. */
export function toPageOrder(query: CallsQuery): Sql {
  return sql`${callOrder(query.sort_by, query.project_id, query.expandedFields).sql} ${limitOffset(query)}`
}

type EarlyPage = { query: CallsQuery & { limit: number; offset: number }; direction: Direction }

function toEarlyPage(query: CallsQuery): EarlyPage | undefined {
  const { limit = Infinity, offset = 0 } = query
  const direction = callOrder(query.sort_by, query.project_id, query.expandedFields).startDirection
  return direction && offset + limit <= maxPageEnd ? { query: { ...query, limit, offset }, direction } : undefined
}

/**
 * The newest or oldest page, found among few more rows of the index than the page has calls. Undefined where too few of these calls
 * match, or are likely to. The result is exact: every call whose own start lies within the examined starts is among them, and calls
 * whose own start lies beyond (parts of a call may report different starts) are left out.
 */
async function findEarlyPage(store: Store, page: EarlyPage, options: QueryOptions): Promise<string[] | undefined> {
  const { filter = {}, query, limit, offset } = page.query
  // `findIdsByStart` is faster for a page without a filter. Oldest first, the index rows are read without a condition on the op.
  const isFiltered = query !== undefined || Object.values(filter).some((values) => values !== undefined)
  if (!isFiltered || (filter.op_names?.length && page.direction === 'asc')) return undefined
  const pageEnd = offset + limit
  return await findPageAmongStarts(store, page, pageEnd + Math.max(minSpareStarts, pageEnd >> 3), sql`1`, options)
}

/** The same among the first `maxStarts` rows. */
export async function findPageByStart(
  store: Store,
  page: EarlyPage,
  options: QueryOptions,
  maxStarts = maxExaminedStarts,
): Promise<string[] | undefined> {
  const found = await findPageAmongStarts(store, page, maxStarts, sql`1`, options)
  if (found) return found
  // Leaving out deleted calls reads the ids of all of them: with 100,000 a page takes six times as long. So that comes last.
  const deleted = sql`SELECT id FROM deleted_calls WHERE project_id = ${page.query.project_id} LIMIT 1`
  if ((await store.query(deleted, IdRow, options)).length === 0) return undefined
  const notDeleted = isNotDeleted(sql`id`, page.query.project_id)
  return await findPageAmongStarts(store, page, maxStarts, notDeleted, options)
}

async function findPageAmongStarts(
  store: Store,
  { query: page, direction }: EarlyPage,
  startCount: number,
  isExaminable: Sql,
  options: QueryOptions,
) {
  const { project_id: projectId, filter = {}, query } = page
  const condition = startConditions(query, projectId)
  const conditions = [isExaminable, ...(condition ? [condition] : [])]
  // A call without a parent has no part with a parent.
  if (filter.trace_roots_only) conditions.push(sql`parent_id = ''`)
  // Where parts conflict, the part that names the op may have a later start than the call. From the latest on it comes
  // first, so the call is not missed; but a condition on the start must not be applied to the start of that part.
  if (filter.op_names?.length && direction === 'desc' && !condition) conditions.push(opNamesCondition(filter.op_names))
  const { startById, last } = await readStarts(store, projectId, allOf(conditions), direction, startCount, options)
  const [word, comparison] = direction === 'asc' ? [sql`ASC`, sql`<=`] : [sql`DESC`, sql`>=`]
  const isExamined =
    last && sql`(assumeNotNull(started_at), id) ${comparison} (${dateTime(toEngineTime(last.started_at))}, ${last.id})`
  const found = await store.query(
    sql`SELECT id FROM ${callsWhere(projectId, sql`id IN ${[...startById.keys()]}`)}
      WHERE ${allOf(isExamined ? [callConditions(page), isExamined] : [callConditions(page)])}
      ORDER BY started_at ${word}, id ${word} ${limitOffset(page)}`,
    IdRow,
    options,
  )
  return found.length === page.limit || !last ? found.map(({ id }) => id) : undefined
}

/**
 * The first page of all calls, each with its first start in `call_starts`; the page is exact if these are the calls' own
 * starts. Undefined where repeated parts leave too few ids.
 */
export async function findFirstStarts(
  store: Store,
  projectId: string,
  direction: Direction,
  limit: number,
  options: QueryOptions,
): Promise<ReadonlyMap<string, string> | undefined> {
  const { startById, last } = await readStarts(store, projectId, sql`1`, direction, limit, options)
  return startById.size === limit || !last ? startById : undefined
}

const StartRow = z.object({ started_at: engineTime, id: z.string() })

/** The first `limit` ids in the order of starts. `last` is the last row examined, undefined where there are no more rows. */
async function readStarts(
  store: Store,
  projectId: string,
  condition: Sql,
  direction: Direction,
  limit: number,
  options: QueryOptions,
) {
  const word = direction === 'asc' ? sql`ASC` : sql`DESC`
  // A part that arrived twice has two rows until the engine merges them.
  const maxRows = 2 * limit
  const rows = await store.query(
    sql`SELECT started_at, id FROM call_starts WHERE project_id = ${projectId} AND ${condition}
      ORDER BY started_at ${word}, id ${word} LIMIT ${uint64(maxRows)}`,
    StartRow,
    { ...options, lookup: 'ordered' },
  )
  const startById = new Map<string, string>()
  for (const row of rows) {
    if (!startById.has(row.id)) startById.set(row.id, row.started_at)
    if (startById.size === limit) return { startById, last: row }
  }
  return { startById, last: rows.length === maxRows ? rows.at(-1) : undefined }
}

/** Calls that may meet a query, as a subquery of merged calls; where they are few, by their ids too. */
export type CallSource = { sql: Sql; hasAllCalls: boolean; isLarge: boolean; ids?: readonly string[] }

/** Going through many calls is a scan. Those of an index, and turns, are found by subqueries. */
export function inLaneOf(
  { isLarge, hasAllCalls }: CallSource,
  query: Parameters<typeof dependsOnTurns>[0],
  options: QueryOptions,
): StreamOptions {
  const hasSlowStart = (isLarge && !hasAllCalls) || dependsOnTurns(query)
  return { ...options, hasSlowStart, ...(isLarge && { lane: 'scan' }) }
}

// One index is enough: the calls it finds still have to meet every condition. The first is usually the narrowest.
const indexedFilters = ['turn_ids', 'parent_ids', 'trace_ids', 'thread_ids'] as const
const indexByFilter: Record<(typeof indexedFilters)[number], { table: Sql; column: Sql }> = {
  turn_ids: { table: sql`call_starts`, column: sql`turn_id` },
  parent_ids: { table: sql`call_starts`, column: sql`parent_id` },
  trace_ids: { table: sql`trace_calls`, column: sql`trace_id` },
  thread_ids: { table: sql`call_starts`, column: sql`thread_id` },
}

/**
 * Chooses the calls that a search goes through. The first row that applies decides:
 *
 * | query                                                                      | calls                          |
 * |----------------------------------------------------------------------------|--------------------------------|
 * | `call_ids`                                                                 | those                          |
 * | `trace_ids`                                                                | found by index (`trace_calls`) |
 * | `turn_ids`, `parent_ids` or `thread_ids`                                   | found by index (`call_starts`) |
 * | conditions on `started_at` or `id`, else `op_names`: up to 100,000 starts  | found by index (`call_starts`) |
 * | anything else                                                              | all calls of the project       |
 *
 * Every part with a start and one of these values has a row with it in both tables, so an index misses no call.
 */
export async function chooseSource(
  store: Store,
  {
    project_id: projectId,
    filter = {},
    query,
    spansOfTurns,
  }: Pick<CallsQuery, 'project_id' | 'filter' | 'query' | 'spansOfTurns'>,
  options: QueryOptions,
): Promise<CallSource> {
  const callIds = filter.call_ids
  if (callIds?.length) {
    const isLarge = callIds.length > maxFoundIds
    return { sql: callsWhere(projectId, sql`id IN ${callIds}`), hasAllCalls: false, isLarge, ids: callIds }
  }
  const key = indexedFilters.find((each) => filter[each]?.length)
  if (key) {
    // The row of a span in `call_starts` does not name its turn.
    const more = key === 'turn_ids' ? spansOfTurns : undefined
    const { table, column } = indexByFilter[key]
    return await sourceByIndex(
      store,
      { projectId, table, condition: sql`${column} IN ${filter[key] ?? []}`, more },
      { ...options, lookup: 'narrow' },
    )
  }
  const condition = startConditions(query, projectId) ?? (filter.op_names?.length ? opNamesCondition(filter.op_names) : undefined)
  const everything = { sql: allCalls(projectId), hasAllCalls: true, isLarge: true }
  if (!condition) return everything
  const [found] = await store.query(
    sql`SELECT count() AS count FROM (
      SELECT 1 FROM call_starts WHERE project_id = ${projectId} AND ${condition} LIMIT ${uint64(maxFoundStarts + 1)})`,
    z.object({ count }),
    options,
  )
  if (found && found.count > maxFoundStarts) return everything
  return await sourceByIndex(store, { projectId, table: sql`call_starts`, condition }, options)
}

type CallIndex = { projectId: string; table: Sql; condition: Sql; more?: Sql | undefined }

/** Calls by a condition on the table of an index, and those that meet `more`, a condition on the id. */
async function sourceByIndex(
  store: Store,
  { projectId, table, condition, more }: CallIndex,
  options: QueryOptions,
): Promise<CallSource> {
  const from = sql`FROM ${table} WHERE project_id = ${projectId} AND ${condition}`
  const limited = sql`SELECT DISTINCT id ${from} LIMIT ${uint64(maxFoundIds + 1)}`
  const found = await store.query(limited, IdRow, options)
  const isLarge = found.length > maxFoundIds
  const ids = found.map(({ id }) => id)
  const isFound = isLarge ? sql`id IN (SELECT id ${from})` : sql`id IN ${ids}`
  const idCondition = more ? sql`(${isFound} OR ${more})` : isFound
  return {
    sql: callsWhere(projectId, idCondition),
    hasAllCalls: false,
    isLarge,
    ...(!isLarge && !more && { ids }),
  }
}
