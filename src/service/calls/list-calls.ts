import type * as z from 'zod/mini'
import type { QueryCalls } from '../../contract/call-requests'
import type { Call } from '../../contract/calls'
import type { TurnDeriver } from '../derive/turn-deriver'
import { TimeSlices } from '../lib/time-slices'
import { PriceBook } from '../pricing/price-book'
import { readUsageSender } from '../usage/usage-sender'
import type { QueryOptions, Store } from '../store/store'
import { ifNotTooLarge } from '../store/store-error'
import { callConditions, type CallsQuery, dependsOnTurns } from './call-conditions'
import { addCosts, type PricedCall } from './call-costs'
import { callOrder } from './call-order'
import { hasPlaces, readCallRows, readMatchingRows, type Selection, toSelection } from './call-rows'
import { type CallSource, chooseSource, findCallIds, findFirstStarts, toPageOrder } from './find-call-ids'
import { RefExpander } from './ref-expander'
import { readExpandedFields } from './read-expanded-fields'
import { readInBatches } from './read-in-batches'
import { type ExpectedCall, findIdsByIndex, type IndexPageDeps, readIndexPage } from './read-index-page'
import { findSpansOfTurns, SpanPlaces } from './span-turns'
import type { MergedCallRow } from './stored-call-row'
import { toCall } from './to-call'

type Input = z.output<typeof QueryCalls>

/** `deriver.flush` brings `turns` up to date, for results that depend on it. */
export type CallReaders = {
  store: Store
  deriver: Pick<TurnDeriver, 'flush'>
  searches: IndexPageDeps['searches']
  related: RelatedData
}

type FeedbackByCall = ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>

/** What calls refer to, and what refers to them. Other parts of the service read it, and this one knows none of them. */
export type RelatedData = {
  /** The value of each reference, null where it leads to nothing. */
  resolveRefs: (projectId: string, refs: readonly string[], options: QueryOptions) => Promise<unknown[]>
  /** The feedback for each call that has any, newest first. */
  readFeedback: (projectId: string, callIds: readonly string[], options: QueryOptions) => Promise<FeedbackByCall>
}

/** So many calls are read at once before their size is known, */
const maxFirstPage = 128
/** unless they are larger than this together. One call alone is read whatever its size. */
const maxBatchBytes = 32 * 1024 * 1024
/** A page shows fewer calls than this at once. */
const maxPageCalls = 1000

/**
 * The calls of a query, in batches. Ids and order are found first, on narrow columns (`findCallIds`). Then the calls are
 * read in batches that fit the memory, so neither a large project nor large calls fill it.
 */
export async function* listCalls(
  { store, deriver, searches, related }: CallReaders,
  input: Input,
  options: QueryOptions = {},
): AsyncGenerator<Call[]> {
  if (input.limit === 0) return
  const { project_id: projectId, include_costs: hasCosts = false, include_feedback: hasFeedback = false } = input
  const selection = toSelection(input.columns, hasCosts, hasFeedback)
  const resolveRefs = (refs: readonly string[]) => related.resolveRefs(projectId, refs, options)
  const isExpanded = input.return_expanded_column_values !== false
  const refs = new RefExpander((isExpanded && input.expand_columns) || [], resolveRefs)
  if (dependsOnTurns(input)) await deriver.flush(projectId, options)
  const turnIds = input.filter?.turn_ids ?? []
  const spansOfTurns = turnIds.length > 0 ? await findSpansOfTurns({ store, deriver, projectId, options }, turnIds) : undefined
  const spanPlaces = new SpanPlaces({ store, deriver, projectId, options })
  const prices = new PriceBook(store, projectId)
  const readRows = (ids: readonly string[]) =>
    readCallRows(store, projectId, ids, selection, {
      ...options,
      ...(ids.length > 1 && { maxResultBytes: maxBatchBytes }),
      // Beyond a page it is an export, which gives way to the pages of others.
      ...(ids.length > maxPageCalls && { lane: 'scan' }),
    })
  const expandedFields = await readExpandedFields(store, input, resolveRefs, options)
  const query = { ...input, expandedFields, spansOfTurns }
  const expect = (calls: readonly ExpectedCall[]) => {
    if (hasPlaces(selection)) spanPlaces.begin(calls)
  }
  for await (const rows of readRowsOfQuery(store, query, { searches, selection, expect, readRows }, options)) {
    const placeById = await spanPlaces.find(rows)
    const slices = new TimeSlices()
    const results: PricedCall[] = []
    for (const row of rows) {
      if (slices.isOver) await slices.next()
      const sender = readUsageSender(row.is_span ?? false, row.usage_sender ?? [])
      results.push({ call: toCall(row, selection, placeById.get(row.id)), provider: row.provider, sender })
    }
    if (hasCosts) await addCosts(results, prices, options)
    const calls = results.map(({ call }) => call)
    await refs.expand(calls, projectId)
    if (hasFeedback) await addFeedback(calls, (ids) => related.readFeedback(projectId, ids, options))
    yield calls
  }
}

/** Adds to each call's `summary.weave` the feedback for it. */
async function addFeedback(calls: readonly Call[], read: (callIds: readonly string[]) => Promise<FeedbackByCall>): Promise<void> {
  const feedback = await read(calls.map(({ id }) => id))
  for (const { id, summary } of calls) if (summary) summary.weave.feedback = [...(feedback.get(id) ?? [])]
}

function characterCount({ attributes = '', inputs = '', output = '', summary = '' }: MergedCallRow): number {
  return attributes.length + inputs.length + output.length + summary.length
}

type Readers = Pick<IndexPageDeps, 'searches'> & {
  selection: Selection
  expect: (calls: readonly ExpectedCall[]) => void
  readRows: (ids: readonly string[]) => Promise<MergedCallRow[]>
}

async function* readRowsOfQuery(
  store: Store,
  query: Input & CallsQuery,
  { searches, selection, expect, readRows }: Readers,
  options: QueryOptions,
): AsyncGenerator<MergedCallRow[]> {
  const limited = { ...options, maxResultBytes: maxBatchBytes }
  const rowsAtOnce =
    (await readAtOnce(store, query, readRows, options)) ??
    (await ifNotTooLarge(readIndexPage({ store, searches, selection, expect }, query, limited)))
  if (rowsAtOnce) {
    yield rowsAtOnce
    return
  }
  const source = await chooseSource(store, query, options)
  const fewRows = await readFew(store, query, source, selection, options)
  if (fewRows) {
    yield fewRows
    return
  }
  const deps = { store, searches }
  const ids = (await findIdsByIndex(deps, query, options)) ?? findCallIds(deps, query, source, options)
  yield* readInBatches(ids, readRows, characterCount)
}

/** So many calls beyond those of the page are read rather than found out by a statement of their own. */
const maxSpareCalls = 50

/**
 * The calls of a trace or a thread are most often hardly more than the page: they are searched, sorted and read by one
 * statement. Undefined where they may be many, and where they are too large together.
 */
async function readFew(
  store: Store,
  query: CallsQuery,
  { ids }: CallSource,
  selection: Selection,
  options: QueryOptions,
): Promise<MergedCallRow[] | undefined> {
  const limit = query.limit ?? Infinity
  if (ids?.length === 0) return []
  if (!ids || ids.length > Math.min(maxFirstPage, limit + maxSpareCalls) || dependsOnTurns(query)) return undefined
  const page = { ids, condition: callConditions(query), order: toPageOrder(query), selection }
  return await ifNotTooLarge(readMatchingRows(store, query.project_id, page, { ...options, maxResultBytes: maxBatchBytes }))
}

/**
 * The two most frequent requests, with one statement less. One call by its id needs no search. The first page of all calls by
 * their start is read at once: their own starts prove that they are the page. Undefined for any other request, where parts of
 * a call report different starts, and where the page is too large.
 */
async function readAtOnce(
  store: Store,
  { project_id: projectId, filter, query, sort_by: sortBy, limit, offset = 0 }: Input,
  read: (ids: readonly string[]) => Promise<MergedCallRow[]>,
  options: QueryOptions,
): Promise<MergedCallRow[] | undefined> {
  const direction = callOrder(sortBy, projectId).startDirection
  const { call_ids: callIds, ...otherFilters } = filter ?? {}
  if (query !== undefined || offset > 0 || Object.values(otherFilters).some((each) => each !== undefined)) return undefined
  if (callIds?.length === 1) return await read(callIds)
  if (!direction || callIds !== undefined || limit === undefined || limit > maxFirstPage) return undefined
  const startById = await findFirstStarts(store, projectId, direction, limit, options)
  if (!startById) return undefined
  const rows = await ifNotTooLarge(read([...startById.keys()]))
  const isThePage = rows?.length === startById.size && rows.every((row) => row.started_at === startById.get(row.id))
  return isThePage ? rows : undefined
}
