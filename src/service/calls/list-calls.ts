import * as z from 'zod/mini'
import type { QueryCalls } from '../../contract/call-queries'
import type { Call } from '../../contract/read-calls'
import { PriceBook } from '../pricing/price-book'
import type { QueryOptions, QueryParams, Store } from '../store/store'
import { callConditions } from './call-conditions'
import { callOfRow } from './call-of-row'
import { callOrder } from './call-order'
import { ReadCallRow, selectionOf, selectList } from './call-row-schema'
import { callSource } from './call-source'
import { costsOfCall } from './costs-of-call'
import { farthestFirst, firstCalls } from './first-calls'
import { callsWhere } from './merged-calls'
import { turnsAmong } from './turns-among'

type Input = z.output<typeof QueryCalls>

/** Calls may be large, and several blocks of them wait for a slow reader. */
const rowsPerBlock = 64
/** More calls than a store holds; the engine has no word for "all" beside an offset. */
const allCalls = 2 ** 53

/** The calls of a project in batches, as asked for. */
export async function* listCalls(store: Store, input: Input, signal?: AbortSignal): AsyncGenerator<Call[]> {
  if (input.limit === 0) return
  const options = { signal }
  const statement = await statementFor(store, input, options)
  if (!statement) return
  const selection = selectionOf(input.columns, input.include_costs ?? false)
  const sql = `SELECT ${selectList(selection)} ${statement.sql}`
  const prices = new PriceBook(store, input.project_id)
  for await (const rows of store.stream(sql, statement.params, ReadCallRow, { signal, rowsPerBlock })) {
    const turns = selection.columns.has('turn_id') ? await turnsAmong(store, input.project_id, rows, options) : new Set()
    const costs = input.include_costs ? await costsOfCall(rows, prices, options) : undefined
    yield rows.map((row) => callOfRow(row, selection, { isTurn: turns.has(row.id), costs: costs?.get(row.id) }))
  }
}

/**
 * What follows the SELECT list: the page is found on narrow columns first, so that what calls hold is read of the page only.
 * Undefined where nothing is found. A list without an end is read in one go.
 */
async function statementFor(
  store: Store,
  input: Input,
  options: QueryOptions,
): Promise<{ sql: string; params: QueryParams } | undefined> {
  const { project_id: projectId, filter, query, limit, offset = 0 } = input
  const order = callOrder(input.sort_by)
  const conditions = callConditions(input)
  const source = await callSource(store, projectId, input, options)
  const params = { ...conditions.params, ...order.params, ...source.params, project_id: projectId }
  const page = { limit: limit ?? allCalls, offset }
  const whole = `FROM ${source.sql} WHERE ${conditions.sql} ${order.sql} LIMIT {limit:UInt64} OFFSET {offset:UInt64}`
  if (limit === undefined || source.size === 'few') return { sql: whole, params: { ...params, ...page } }

  const isNear = source.size === 'all' && offset + limit <= farthestFirst
  const first =
    isNear && order.byStart
      ? await firstCalls(store, { projectId, filter, query, conditions, direction: order.byStart, limit, offset }, options)
      : undefined
  const ids = first ?? (limit <= farthestFirst ? await idsOf(store, whole, { ...params, ...page }, options) : undefined)
  if (ids) {
    if (ids.length === 0) return undefined
    // Sorted again: what is read by id comes in no order. The page is known, so only its calls are judged.
    const sql = `FROM ${callsWhere('id IN {page_ids:Array(String)}')} WHERE started_at IS NOT NULL ${order.sql}`
    return { sql, params: { ...order.params, project_id: projectId, page_ids: ids } }
  }
  const sql = `FROM ${callsWhere(`id IN (SELECT id ${whole})`)} WHERE started_at IS NOT NULL ${order.sql}`
  return { sql, params: { ...params, ...page } }
}

async function idsOf(store: Store, whole: string, params: QueryParams, options: QueryOptions): Promise<string[]> {
  const rows = await store.query(`SELECT id ${whole}`, params, z.object({ id: z.string() }), options)
  return rows.map(({ id }) => id)
}
