import * as z from 'zod/mini'
import { parseInstant } from '../../../contract/instant'
import { parsePlainDecimal, toNumber } from '../../../contract/decimal'
import { formatLimit } from '../../../contract/schema'
import type { FoundThread } from '../../../contract/thread-search'
import { callSortFields, type Thread, threadSortFields } from '../../../contract/threads'
import { ThreadRow } from '../../derive/thread-columns'
import { HttpError } from '../../http/http-error'
import { sortInSlices } from '../../lib/sort-in-slices'
import { TimeSlices } from '../../lib/time-slices'
import { compareRanks, type Rank, type TotalRank } from '../../spend/compare-groups'
import { sql, type Sql, uint64 } from '../../store/sql'
import { limitOffset } from '../../store/limit-offset'
import { columnsByName, orderBy } from '../../store/order-by'
import type { QueryOptions, Store, StreamOptions } from '../../store/store'
import { latestFirst } from '../ranking/thread-order'
import { selectMaxCosts } from './cost-bound'
import { findFirstThreads, isAtLeast, maxWalked, selectFoundThreads, type StepSizes, usualStepSizes } from './find-page'
import type { SearchRequest, Selection } from './search-request'
import { findConditions, type ThreadConditions } from './thread-conditions'
import { addDetails, countErrors, readSpends, type ThreadSpend } from './thread-details'

type SortKey = NonNullable<SearchRequest['sort_by']>[number]

/** Rows of a result are in memory before the figures of their calls are added. */
const maxThreads = 200_000
const threadsPerPart = 1000
/** Beyond, pricing all of them is as fast. */
const maxPriced = 10_000

/**
 * The threads that a request finds, in parts. Flush the derivers of turns, spends and words first. The engine finds, sorts
 * and cuts them, unless that needs money, tokens or errors of all: those are put together here, because prices are.
 */
export async function* searchThreads(
  store: Store,
  request: SearchRequest,
  reader: QueryOptions,
  stepSizes?: StepSizes,
): AsyncGenerator<FoundThread[]> {
  const conditions = await findConditions(store, request, reader)
  const sort = request.sort_by?.length ? request.sort_by : latestFirst
  const page = await readPage(store, { request, conditions, sort }, reader, stepSizes)
  for (let start = 0; start < page.length; start += threadsPerPart) {
    yield await addDetails(store, request, page.slice(start, start + threadsPerPart), reader)
  }
}

async function readPage(store: Store, ranking: Ranking, reader: QueryOptions, stepSizes?: StepSizes): Promise<readonly Thread[]> {
  const { request, conditions, sort } = ranking
  const { limit = Infinity, offset = 0, filter } = request
  const isByCost = filter?.min_cost !== undefined
  const count = offset + limit
  if (sort.some(({ field }) => isCallField(field))) {
    const dearest = count <= maxWalked ? await findDearestThreads(store, ranking, reader, stepSizes) : undefined
    return dearest ?? (await rankThreads(store, ranking, reader))
  }
  const order = toOrder(sort)
  if ((conditions.looksAtCalls || isByCost) && count <= maxWalked) {
    const [first, ...more] = sort
    const threadOrder = first && more.length === 0 && !isCallField(first.field) ? { ...first, field: first.field } : undefined
    const page = await findFirstThreads(store, { request, conditions, order, threadOrder, count }, reader, stepSizes)
    if (page) return page.slice(offset)
  }
  if (isByCost) return await rankThreads(store, ranking, reader)
  return await readThreads(store, { request, conditions, order, range: request }, reader)
}

type CallField = (typeof callSortFields)[number]

function isCallField(field: SortKey['field']): field is CallField {
  return callSortFields.some((each) => each === field)
}

const columnByField = columnsByName(threadSortFields)

function toOrder(sort: readonly SortKey[]): Sql {
  const keys = sort.flatMap(({ field, direction }) => (isCallField(field) ? [] : [{ field, direction }]))
  return orderBy(keys, columnByField, sql`thread_id ASC`)
}

type Query = {
  request: SearchRequest
  conditions: ThreadConditions
  order: Sql
  range: { limit?: number | undefined; offset?: number | undefined }
}

async function readThreads(store: Store, query: Query, reader: QueryOptions): Promise<Thread[]> {
  const { request, conditions, order } = query
  const { offset, limit = Infinity } = query.range
  const range = limitOffset({ offset, limit: Math.min(limit, maxThreads + 1) })
  const statement = sql`${selectFoundThreads(request, conditions)} ${order} ${range}`
  const options: StreamOptions = conditions.looksAtCalls ? { ...reader, lane: 'scan', hasSlowStart: true } : reader
  const threads: Thread[] = []
  for await (const rows of store.stream(statement, ThreadRow, options)) for (const row of rows) threads.push(row)
  if (threads.length > maxThreads) throw tooManyThreads()
  return threads
}

/** The ids of all threads that meet the conditions and cost at least the `min_cost` of the filter. */
export async function findThreadIdsByCost(
  store: Store,
  selection: Selection,
  conditions: ThreadConditions,
  reader: QueryOptions,
): Promise<string[]> {
  const request = { ...selection, limit: undefined, offset: undefined }
  const threads = await rankThreads(store, { request, conditions, sort: [] }, reader)
  return threads.map(({ thread_id: id }) => id)
}

function tooManyThreads(): HttpError {
  return new HttpError('invalid', {
    loc: ['body', 'filter'],
    msg: `These are more than ${formatLimit(maxThreads)} threads. Narrow the filter, or sort by a figure of turns and set 'limit'.`,
    type: 'answer_too_large',
  })
}

const MaxCostRow = z.object({ thread_id: z.string(), max_cost: z.number() })

/**
 * The page of a request that wants the dearest threads first: those that may have cost most are priced until no other can be
 * among them. Undefined for another order, and where too many would have to be priced.
 */
async function findDearestThreads(
  store: Store,
  ranking: Ranking,
  reader: QueryOptions,
  { atLeast, perThread } = usualStepSizes,
): Promise<Thread[] | undefined> {
  const { request, sort } = ranking
  const { limit = Infinity, offset = 0, filter } = request
  const [first] = sort
  if (first?.field !== 'total_cost' || first.direction !== 'desc' || filter?.thread_ids?.length) return undefined
  const maxCosts = await selectMaxCosts(store, request, reader)
  const count = offset + limit
  for (let step = Math.max(atLeast, perThread * count) * 2; step <= maxPriced; step *= 8) {
    const statement = sql`SELECT thread_id, least(max_cost, 1e300) AS max_cost FROM (${maxCosts})
ORDER BY max_cost DESC LIMIT ${uint64(step)}`
    const rows = await store.query(statement, MaxCostRow, { ...reader, lane: 'scan' })
    const others = rows.at(-1)?.max_cost
    // Threads without any cost come behind all of them.
    if (others === undefined) return undefined
    const some = { ...request, filter: { ...filter, thread_ids: rows.map(({ thread_id: id }) => id) } } as SearchRequest // absent keys stay so
    const ranked = await sortThreads(
      store,
      { request: some, conditions: await findConditions(store, some, reader), sort },
      reader,
    )
    const isAhead = ({ ranks: [rank] }: RankedThread) =>
      typeof rank === 'object' && rank?.currency === 'USD' && rank.nearest > others
    if (ranked.filter(isAhead).length >= count) return ranked.slice(offset, count).map(({ thread }) => thread)
    if (rows.length < step) return undefined
  }
  return undefined
}

type RankedThread = { thread: Thread; ranks: Rank[] }
type Ranking = { request: SearchRequest; conditions: ThreadConditions; sort: readonly SortKey[] }

/** The page of a request that is sorted by figures of calls, or has a minimum of cost. */
async function rankThreads(store: Store, ranking: Ranking, reader: QueryOptions): Promise<Thread[]> {
  const { offset = 0, limit = Infinity } = ranking.request
  const sorted = await sortThreads(store, ranking, reader)
  return sorted.slice(offset, offset + limit).map(({ thread }) => thread)
}

/** All threads that a request finds, in its order. */
async function sortThreads(store: Store, { request, conditions, sort }: Ranking, reader: QueryOptions): Promise<RankedThread[]> {
  const threads = await readThreads(store, { request, conditions, order: toOrder([]), range: {} }, reader)
  const { min_cost: minCost } = request.filter ?? {}
  const fields = new Set(sort.map(({ field }) => field))
  const needsSpend = minCost !== undefined || fields.has('total_cost') || fields.has('total_tokens')
  const noIds = { threadIds: undefined, byModel: false }
  const spends = needsSpend ? await readSpends(store, request, noIds, reader) : new Map<string, ThreadSpend>()
  const errors = fields.has('error_count') ? await countErrors(store, request, undefined, reader) : new Map<string, number>()
  const slices = new TimeSlices()
  const ranked: RankedThread[] = []
  for (const thread of threads) {
    if (slices.isOver) await slices.next()
    const spend = spends.get(thread.thread_id)
    if (minCost !== undefined && !isAtLeast(spend, minCost)) continue
    ranked.push({ thread, ranks: sort.map(({ field }) => toRank(field, thread, spend, errors)) })
  }
  return await sortInSlices(
    ranked,
    (left, right) => {
      for (const [index, { direction }] of sort.entries()) {
        const order = compareRanks(left.ranks[index] ?? null, right.ranks[index] ?? null, direction === 'asc' ? 1 : -1)
        if (order !== 0) return order
      }
      // The engine has sorted them by their ids.
      return 0
    },
    slices,
  )
}

function toRank(
  field: SortKey['field'],
  thread: Thread,
  spend: ThreadSpend | undefined,
  errors: ReadonlyMap<string, number>,
): Rank {
  if (field === 'total_cost') return rankTotal(spend)
  if (field === 'total_tokens') return spend?.total_tokens ?? 0
  if (field === 'error_count') return errors.get(thread.thread_id) ?? 0
  // Instants are text of different lengths. Microseconds stay below 2^53.
  if (field === 'start_time' || field === 'last_updated') return Number(parseInstant(thread[field]))
  return thread[field]
}

/** In USD where there is any, else in the least code. */
function rankTotal(spend: ThreadSpend | undefined): TotalRank | null {
  const cost = spend?.costs.find(({ currency }) => currency === 'USD') ?? spend?.costs[0]
  if (!cost) return null
  const exact = parsePlainDecimal(cost.total)
  return { currency: cost.currency, nearest: toNumber(exact), exact }
}
