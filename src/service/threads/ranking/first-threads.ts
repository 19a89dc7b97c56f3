import * as z from 'zod/mini'
import type { Thread } from '../../../contract/threads'
import { threadColumnNames, ThreadRow } from '../../derive/thread-columns'
import { orderBy } from '../../store/order-by'
import { identifier, type Sql, sql, uint64 } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'
import { compareRanked, type RankedThread, type ThreadOrder } from './thread-order'

/** A value to sort by, as the engine prints it. */
const rankedValue = z.nullable(z.union([z.string(), z.number()]))
/** A row of `selectRanked`. */
export const RankedRow = z.object({ thread_id: z.string(), value: rankedValue })
const PageRow = z.extend(ThreadRow, { ranked_value: rankedValue })

/** So many rows of a thread may be among the first ones, each from another derivation, before all have to be merged. */
const rowsPerThread = 4
/** More threads than wanted are looked up, because some have changed their place since the row. */
const surplus = 1.2
const minSpare = 16

export type FirstThreads = { projectId: string; order: ThreadOrder; count: number }

/** The value that threads are sorted by. Threads whose turns are all retracted have a row too. */
export function selectRanked(projectId: string, { field }: ThreadOrder): Sql {
  return sql`SELECT thread_id, ${identifier(field)} AS value FROM threads FINAL WHERE project_id = ${projectId} AND turn_count > 0`
}

/** The same of all rows, outdated ones too. */
function selectAllRanked(projectId: string, { field, direction }: ThreadOrder): Sql {
  // Without turns all figures are the lowest or null, so only the ascending order has to look for them.
  const hasTurns = direction === 'asc' ? sql`AND turn_count > 0` : sql``
  return sql`SELECT thread_id, ${identifier(field)} AS value FROM threads WHERE project_id = ${projectId} ${hasTurns}`
}

/** ORDER BY of the rows of `selectRanked`. */
export function orderRanked({ direction }: ThreadOrder): Sql {
  return orderBy([{ field: 'value', direction }], { value: sql`value` }, sql`thread_id ASC`)
}

/**
 * The first threads of a project in an order. Beside the current row of a thread the table has outdated ones until the engine
 * merges them, and to merge all for a page takes ten times as long as to read the two columns. So the first rows are taken as
 * they are, and only their threads are merged. The current row of each thread is among all rows: a thread belongs at the place
 * of the row that says what its merged row says. Undefined where too many rows are outdated, and where a thread changes meanwhile.
 */
export async function readFirstThreads(
  store: Store,
  { projectId, order, count }: FirstThreads,
  options: QueryOptions,
): Promise<Thread[] | undefined> {
  const maxRows = count * rowsPerThread + minSpare
  const candidates = await store.query(
    sql`${selectAllRanked(projectId, order)} ${orderRanked(order)} LIMIT ${uint64(maxRows)}`,
    RankedRow,
    options,
  )
  const ids = [...new Set(candidates.map(({ thread_id: id }) => id))].slice(0, Math.ceil(count * surplus) + minSpare)
  const rowById = await readThreadRows(store, { projectId, order, ids }, options)
  const isWhole = candidates.length < maxRows
  if (hasChanged(order, candidates, rowById, isWhole)) return undefined
  const lookedUp = new Set(ids)
  const threads: Thread[] = []
  for (const { thread_id: id, value } of candidates) {
    if (!lookedUp.has(id)) return undefined
    const row = rowById.get(id)
    if (row?.value !== value) continue
    // The same row may be there twice.
    rowById.delete(id)
    threads.push(row.thread)
    if (threads.length === count) return threads
  }
  return isWhole ? threads : undefined
}

/** Whether a thread has a row that was not there when the candidates were read, and belongs among them. */
function hasChanged(
  order: ThreadOrder,
  candidates: readonly z.infer<typeof RankedRow>[],
  rowById: ReadonlyMap<string, ThreadWithValue>,
  isWhole: boolean,
): boolean {
  const last = candidates.at(-1)
  if (!last) return false
  const compare = compareRanked(order)
  const isBehind = (thread: RankedThread) => !isWhole && compare(thread, { threadId: last.thread_id, value: last.value }) > 0
  const changed = new Map([...rowById].filter(([threadId, { value }]) => !isBehind({ threadId, value })))
  for (const { thread_id: id, value } of candidates) if (changed.get(id)?.value === value) changed.delete(id)
  return changed.size > 0
}

export type ThreadWithValue = { thread: Thread; value: RankedThread['value'] }

/**
 * The threads with these ids that have turns, by id, each with the value it is sorted by. For a few threads the newest row of
 * each is found in two thirds of the time of a FINAL.
 */
export async function readThreadRows(
  store: Store,
  { projectId, order, ids }: { projectId: string; order: ThreadOrder; ids: readonly string[] },
  options: QueryOptions,
): Promise<Map<string, ThreadWithValue>> {
  if (ids.length === 0) return new Map()
  const rows = await store.query(
    sql`SELECT thread_id, ${threadColumnNames}, ${identifier(order.field)} AS ranked_value
FROM threads WHERE project_id = ${projectId} AND thread_id IN ${ids}
ORDER BY version DESC LIMIT 1 BY thread_id`,
    PageRow,
    options,
  )
  const withTurns = rows.filter(({ turn_count: count }) => count > 0)
  return new Map(withTurns.map(({ ranked_value: value, ...thread }) => [thread.thread_id, { thread, value }]))
}
