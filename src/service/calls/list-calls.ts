import * as z from 'zod/mini'
import type { QueryCalls } from '../../contract/call-requests'
import type { Call } from '../../contract/calls'
import { PriceBook } from '../pricing/price-book'
import { limitOffset } from '../store/limit-offset'
import { sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { isTooLarge } from '../store/store-error'
import type { TurnDeriver } from '../derive/turn-deriver'
import { asksForTurns } from './asks-for-turns'
import { callConditions } from './call-conditions'
import { callOfRow } from './call-of-row'
import { callOrder } from './call-order'
import { type ReadCallRow, selectionOf, selectList } from './call-row-schema'
import { callSource } from './call-source'
import { costsOfCall } from './costs-of-call'
import { farthestFirst, firstCalls, firstStarts } from './first-calls'
import { inFitting } from './in-fitting'
import { readCallsById } from './read-calls-by-id'
import { turnsAmong } from './turns-among'

type Input = z.output<typeof QueryCalls>

/** `deriver` is asked to bring `turns` up to date where an answer depends on them. */
export type CallReaders = { store: Store; deriver: Pick<TurnDeriver, 'flush'> }

/** So many calls are read at once before their size is known, */
const mostSure = 128
/** unless they turn out to be larger than this together. One alone is read whatever its size. */
const mostBytesAtOnce = 32 * 1024 * 1024

/**
 * The calls of a project in batches, as asked for. Which calls and in which order is found on narrow columns; what calls
 * hold is then read of those only, as much at a time as fits, so neither a large project nor large calls fill the memory.
 */
export async function* listCalls({ store, deriver }: CallReaders, input: Input, signal?: AbortSignal): AsyncGenerator<Call[]> {
  if (input.limit === 0) return
  const options = { signal }
  const { project_id: projectId, include_costs: hasCosts = false } = input
  const selection = selectionOf(input.columns, hasCosts)
  const columns = selectList(selection)
  if (asksForTurns(input)) await deriver.flush(projectId)
  const prices = new PriceBook(store, projectId)
  const read = (ids: readonly string[]) =>
    readCallsById(store, projectId, ids, columns, ids.length > 1 ? { ...options, maxResultBytes: mostBytesAtOnce } : options)
  const surest = await surestPage(store, input, read, options)
  const batches = surest ? [surest] : inFitting(idsAsked(store, input, options), read, sizeOf)
  for await (const rows of batches) {
    const turns = selection.columns.has('turn_id')
      ? await turnsAmong({ store, summary: deriver }, projectId, rows, options)
      : new Set()
    const costs = hasCosts ? await costsOfCall(rows, prices, options) : undefined
    yield rows.map((row) => callOfRow(row, selection, { isTurn: turns.has(row.id), costs: costs?.get(row.id) }))
  }
}

function sizeOf({ attributes = '', inputs = '', output = '', summary = '' }: ReadCallRow): number {
  return attributes.length + inputs.length + output.length + summary.length
}

/**
 * The first page of all calls by their start, which is asked for most: what the page holds is read at once, and tells by
 * itself whether it is the page. Undefined where more was asked, where starts conflict, or where it is too large to be read
 * at once.
 */
async function surestPage(
  store: Store,
  { project_id: projectId, filter, query, sort_by: sortBy, limit, offset = 0 }: Input,
  read: (ids: readonly string[]) => Promise<ReadCallRow[]>,
  options: QueryOptions,
): Promise<ReadCallRow[] | undefined> {
  const direction = callOrder(sortBy, projectId).startDirection
  const isFiltered = query !== undefined || Object.values(filter ?? {}).some((each) => each !== undefined)
  if (!direction || isFiltered || offset > 0 || limit === undefined || limit > mostSure) return undefined
  const starts = await firstStarts(store, projectId, direction, limit, options)
  if (!starts) return undefined
  const rows = await read([...starts.keys()]).catch((error: unknown) => {
    if (isTooLarge(error)) return undefined
    throw error
  })
  if (!rows) return undefined
  const isThePage = rows.length === starts.size && rows.every((row) => row.started_at === starts.get(row.id))
  return isThePage ? rows : undefined
}

/** The ids of the calls asked for, in their order. */
async function* idsAsked(store: Store, input: Input, options: QueryOptions): AsyncGenerator<string[]> {
  const { project_id: projectId, filter, query, limit, offset = 0 } = input
  const order = callOrder(input.sort_by, projectId)
  const conditions = callConditions(input)
  const source = await callSource(store, projectId, input, options)
  if (order.startDirection && limit !== undefined && offset + limit <= farthestFirst && source.hasAllCalls) {
    const asked = { projectId, filter, query, conditions, direction: order.startDirection, limit, offset }
    const first = await firstCalls(store, asked, options)
    if (first) {
      yield first
      return
    }
  }
  const statement = sql`SELECT id FROM ${source.sql} WHERE ${conditions} ${order.sql} ${limitOffset({ limit, offset })}`
  for await (const rows of store.stream(statement, z.object({ id: z.string() }), options)) yield rows.map(({ id }) => id)
}
