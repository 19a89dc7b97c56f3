import * as z from 'zod/mini'
import type { SpendGroup } from '../../../contract/spend'
import { addDecimals, type Decimal, formatPlainDecimal, parsePlainDecimal, zero } from '../../../contract/decimal'
import { compareText } from '../../../contract/compare-text'
import type { FoundThread } from '../../../contract/thread-search'
import type { Thread } from '../../../contract/threads'
import { querySpend } from '../../spend/query-spend'
import { fromFewRows } from '../../store/newest-rows'
import { count } from '../../store/row-types'
import { sql } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'
import type { SearchRequest } from './search-request'
import { isOfCalls } from './thread-conditions'

/** What the calls of a thread spent. */
export type ThreadSpend = Pick<FoundThread, 'total_tokens' | 'costs' | 'unpriced_call_count' | 'models'>

const noSpend: ThreadSpend = { total_tokens: 0, costs: [], unpriced_call_count: 0, models: [] }

/** Adds the figures of their calls to threads; `request` has the window. */
export async function addDetails(
  store: Store,
  request: SearchRequest,
  threads: readonly Thread[],
  reader: QueryOptions,
): Promise<FoundThread[]> {
  const threadIds = threads.map(({ thread_id: id }) => id)
  const [errors, spends] = await Promise.all([
    countErrors(store, request, threadIds, reader),
    readSpends(store, request, { threadIds, byModel: true }, reader),
  ])
  return threads.map((thread) => ({
    ...thread,
    error_count: errors.get(thread.thread_id) ?? 0,
    ...(spends.get(thread.thread_id) ?? noSpend),
  }))
}

const ErrorRow = z.object({ thread_id: z.string(), error_count: count })

/** How many calls failed, by thread; of all threads of the request without `threadIds`. Threads without any are left out. */
export async function countErrors(
  store: Store,
  request: SearchRequest,
  threadIds: readonly string[] | undefined,
  reader: QueryOptions,
): Promise<ReadonlyMap<string, number>> {
  const hasFailed = sql`${isOfCalls(request)} AND has_failed = 1`
  const failed = threadIds
    ? fromFewRows('thread_calls', sql`${hasFailed} AND thread_id IN ${threadIds}`)
    : sql`FROM thread_calls FINAL WHERE ${hasFailed}`
  const statement = sql`SELECT thread_id, count() AS error_count ${failed} GROUP BY thread_id`
  const rows = await store.query(statement, ErrorRow, { ...reader, lane: 'scan' })
  return new Map(rows.map(({ thread_id: id, error_count }) => [id, error_count]))
}

type Range = {
  /** Undefined: all threads of the request. */
  threadIds: readonly string[] | undefined
  /** Without it `models` stay empty. */
  byModel: boolean
}

export async function readSpends(
  store: Store,
  { project_id, filter }: SearchRequest,
  { threadIds, byModel }: Range,
  reader: QueryOptions,
): Promise<ReadonlyMap<string, ThreadSpend>> {
  const groups = await querySpend(
    store,
    {
      project_id,
      group_by: byModel ? ['thread_id', 'model'] : ['thread_id'],
      filter: { ...noFilter, thread_ids: [...(threadIds ?? filter?.thread_ids ?? [])] },
      turnStart: { after: filter?.after_datetime, before: filter?.before_datetime },
      limit: undefined,
      offset: undefined,
    },
    reader,
  )
  const groupsByThread = new Map<string, SpendGroup[]>()
  for (const group of groups) {
    if (!group.thread_id) continue
    const known = groupsByThread.get(group.thread_id)
    if (known) known.push(group)
    else groupsByThread.set(group.thread_id, [group])
  }
  return new Map([...groupsByThread].map(([id, own]) => [id, addGroups(own)]))
}

const noFilter = {
  after_datetime: undefined,
  before_datetime: undefined,
  models: undefined,
  providers: undefined,
  op_names: undefined,
  users: undefined,
}

function addGroups(groups: readonly SpendGroup[]): ThreadSpend {
  const totals = new Map<string, Decimal>()
  for (const { costs } of groups) {
    for (const { currency, total } of costs) {
      totals.set(currency, addDecimals(totals.get(currency) ?? zero, parsePlainDecimal(total)))
    }
  }
  return {
    total_tokens: groups.reduce((sum, group) => sum + group.prompt_tokens + group.completion_tokens, 0),
    costs: [...totals]
      .toSorted(([left], [right]) => compareText(left, right))
      .map(([currency, total]) => ({ currency, total: formatPlainDecimal(total) })),
    unpriced_call_count: groups.reduce((sum, group) => sum + group.unpriced_call_count, 0),
    models: groups.flatMap(({ model }) => model ?? []).toSorted(compareText),
  }
}
