import * as z from 'zod/mini'
import { compareDecimals, parsePlainDecimal } from '../../../contract/decimal'
import type { Thread } from '../../../contract/threads'
import { ThreadRow } from '../../derive/thread-columns'
import { limitOffset } from '../../store/limit-offset'
import { joinSql, type Sql, sql, uint64 } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'
import { selectThreads } from '../list-threads'
import { readFirstThreads } from '../ranking/first-threads'
import type { ThreadOrder } from '../ranking/thread-order'
import { selectDearThreads } from './cost-bound'
import type { Selection } from './search-request'
import { type CallCondition, holdsAmong, mayHold, selectMayHold, type ThreadConditions } from './thread-conditions'
import { readSpends, type ThreadSpend } from './thread-details'

// A page needs a few of the threads that a filter finds, so not all of them are looked for. Where it may hold for few threads,
// an index names them. Else threads are taken in the order of the list, and what takes long is asked of those only: first of
// the first ones, then of those for which it may hold.

/** Pages that end behind so many threads are found in another way. */
export const maxWalked = 1000
/** Of how many threads it is asked first: at least, and for each thread that is wanted. Tests take fewer. */
export type StepSizes = { atLeast: number; perThread: number }
// Each thread that is asked for is looked up in the index of each granule.
export const usualStepSizes: StepSizes = { atLeast: 50, perThread: 1 }
/** No step of the list is larger than so many first ones. */
const stepFactor = 5
/** A few more are asked than would be enough if it held for as many of them as of those before. */
const surplus = 1.4
/** To find threads for which it may hold takes longer than to read them, so there are more of them to a step. */
const mayHoldFactor = 10
/** A filter that may hold for fewer threads than this is asked for those. */
const maxFew = 1000
/** To price many threads at once takes long, and the next of them may be enough. */
const maxStep = 10_000

type Search = {
  request: Selection
  conditions: ThreadConditions
  order: Sql
  /** The order where it is by one figure of turns. */
  threadOrder: ThreadOrder | undefined
  /** How many threads are wanted. */
  count: number
}

/** All threads that meet the conditions, without an order. */
export function selectFoundThreads(
  selection: Selection,
  { ofIds, ofFigures }: Pick<ThreadConditions, 'ofIds' | 'ofFigures'>,
): Sql {
  const where = ofFigures.length > 0 ? sql`WHERE ${joinSql(ofFigures, ' AND ')}` : sql``
  return sql`SELECT * FROM (${selectThreads(selection, ofIds)}) ${where}`
}

/** The first threads of the list that the filter finds. Undefined where all must be looked at. */
export async function findFirstThreads(
  store: Store,
  search: Search,
  reader: QueryOptions,
  { atLeast, perThread }: StepSizes = usualStepSizes,
): Promise<readonly Thread[] | undefined> {
  const { request, conditions, count } = search
  const { ofNames, ofCalls } = conditions
  const minCost = request.filter?.min_cost
  const step = Math.max(atLeast, perThread * count)
  const found: Thread[] = []
  const checked = new Set<string>()
  const check = async (threads: readonly Thread[], atOnce: number) => {
    const others = threads.filter(({ thread_id: id }) => !checked.has(id))
    for (let start = 0, size = atOnce; start < others.length && found.length < count; start += size, size *= 2) {
      const some = others.slice(start, start + size)
      for (const { thread_id: id } of some) checked.add(id)
      found.push(...(await keepFound(store, search, some, reader)))
    }
  }
  const few = await findFewIds(store, ofCalls, reader)
  if (few?.length === 0) return []
  if (few) {
    const all = { limit: few.length, offset: 0 }
    const reading = readStep(store, search, [...ofNames, sql`thread_id IN ${few}`], all, reader)
    if (few.length <= count) {
      // All of them are asked in any case, so both questions are asked at once.
      const [threads, holding] = await Promise.all([reading, findHolding(store, ofCalls, few, reader)])
      const kept = threads.filter(({ thread_id: id }) => holding.has(id))
      return await keepDear(store, request, kept, reader)
    }
    await check(await reading, count)
    return found.slice(0, count)
  }
  for (let offset = 0, limit = step; limit <= step * stepFactor;) {
    const next =
      (offset === 0 && (await readFirst(store, search, limit, reader))) ||
      (await readStep(store, search, ofNames, { limit, offset }, reader))
    await check(next, limit)
    if (found.length >= count || next.length < limit) return found.slice(0, count)
    offset += limit
    limit = Math.ceil(((count - found.length) * offset * surplus) / found.length)
  }

  const wanted = ofCalls.filter(({ isWanted }) => isWanted)
  if (minCost === undefined && wanted.length < ofCalls.length) return undefined
  const mayBeFound = [...ofNames, ...wanted.map(mayHold)]
  if (minCost !== undefined) mayBeFound.push(sql`thread_id IN (${await selectDearThreads(store, request, minCost, reader)})`)
  const scan: QueryOptions = { ...reader, lane: 'scan' }
  for (let offset = 0, limit = step * mayHoldFactor; ; offset += limit, limit = Math.min(limit * mayHoldFactor, maxStep)) {
    const next = await readStep(store, search, mayBeFound, { limit, offset }, scan)
    // It holds for nearly all of those, but for prices.
    await check(next, minCost === undefined ? count - found.length : step)
    if (found.length >= count || next.length < limit) return found.slice(0, count)
    // Calls are corrected rarely: where so many are not enough, more of them would not be either.
    if (minCost === undefined) return undefined
  }
}

/** All threads for which one of the conditions may hold. Undefined where that are many for each of them. */
async function findFewIds(
  store: Store,
  conditions: readonly CallCondition[],
  reader: QueryOptions,
): Promise<string[] | undefined> {
  const scan: QueryOptions = { ...reader, lane: 'scan' }
  const found = await Promise.all(
    conditions
      .filter(({ isWanted }) => isWanted)
      .map((condition) =>
        store.query(sql`SELECT DISTINCT thread_id FROM (${selectMayHold(condition)}) LIMIT ${uint64(maxFew)}`, IdRow, scan),
      ),
  )
  return found.find(({ length }) => length < maxFew)?.map(({ thread_id: id }) => id)
}

/** The first threads of the list where no condition but those of calls has to hold. */
async function readFirst(
  store: Store,
  { request, conditions, threadOrder }: Search,
  count: number,
  options: QueryOptions,
): Promise<Thread[] | undefined> {
  const { thread_ids: threadIds = [], after_datetime: after, before_datetime: before } = request.filter ?? {}
  const isListed = threadIds.length === 0 && after === undefined && before === undefined
  if (!threadOrder || !isListed || conditions.ofNames.length > 0 || conditions.ofFigures.length > 0) return undefined
  return await readFirstThreads(store, { projectId: request.project_id, order: threadOrder, count }, options)
}

async function readStep(
  store: Store,
  { request, conditions, order }: Search,
  ofIds: readonly Sql[],
  range: { limit: number; offset: number },
  options: QueryOptions,
): Promise<Thread[]> {
  const threads = selectFoundThreads(request, { ofIds, ofFigures: conditions.ofFigures })
  return await store.query(sql`${threads} ${order} ${limitOffset(range)}`, ThreadRow, options)
}

const IdRow = z.object({ thread_id: z.string() })

/** Those of a few threads that the filter finds. What it asks of names and figures must hold already. */
async function keepFound(
  store: Store,
  { request, conditions }: Search,
  threads: readonly Thread[],
  reader: QueryOptions,
): Promise<readonly Thread[]> {
  let kept = threads
  if (kept.length > 0 && conditions.ofCalls.length > 0) {
    const ids = kept.map(({ thread_id: id }) => id)
    const holding = await findHolding(store, conditions.ofCalls, ids, reader)
    kept = kept.filter(({ thread_id: id }) => holding.has(id))
  }
  return await keepDear(store, request, kept, reader)
}

/** Those of a few threads for whose calls the conditions hold. */
async function findHolding(
  store: Store,
  ofCalls: readonly CallCondition[],
  threadIds: readonly string[],
  reader: QueryOptions,
): Promise<ReadonlySet<string>> {
  const hold = ofCalls.map((condition) => holdsAmong(condition, threadIds))
  const statement = sql`SELECT thread_id FROM (SELECT arrayJoin(${threadIds}) AS thread_id) WHERE ${joinSql(hold, ' AND ')}`
  const rows = await store.query(statement, IdRow, { ...reader, lane: 'scan' })
  return new Set(rows.map(({ thread_id: id }) => id))
}

/** Those of a few threads that cost at least the `min_cost` of the filter; all where it has none. */
async function keepDear(
  store: Store,
  request: Selection,
  threads: readonly Thread[],
  reader: QueryOptions,
): Promise<readonly Thread[]> {
  const minCost = request.filter?.min_cost
  if (threads.length === 0 || minCost === undefined) return threads
  const threadIds = threads.map(({ thread_id: id }) => id)
  const spends = await readSpends(store, request, { threadIds, byModel: false }, reader)
  return threads.filter(({ thread_id: id }) => isAtLeast(spends.get(id), minCost))
}

export function isAtLeast(spend: ThreadSpend | undefined, minCost: string): boolean {
  const total = spend?.costs.find(({ currency }) => currency === 'USD')?.total
  return total !== undefined && compareDecimals(parsePlainDecimal(total), parsePlainDecimal(minCost)) >= 0
}
