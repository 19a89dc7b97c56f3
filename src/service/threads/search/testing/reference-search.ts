import * as z from 'zod/mini'
import { compareText } from '../../../../contract/compare-text'
import { compareDecimals, parsePlainDecimal } from '../../../../contract/decimal'
import { compareInstants, parseInstant } from '../../../../contract/instant'
import type { FoundThread } from '../../../../contract/thread-search'
import { TimeSlices } from '../../../lib/time-slices'
import { PriceBook } from '../../../pricing/price-book'
import { SpendGroups } from '../../../spend/spend-groups'
import { allCalls, endUserSql } from '../../../store/merged-calls'
import { engineTime, flag, textOrNull } from '../../../store/row-types'
import { sql } from '../../../store/sql'
import type { Store } from '../../../store/store'
import { readTraces } from '../../../spend/testing/read-traces'
import { findOwnUsage } from '../../../usage/own-usage'
import { listThreads } from '../../list-threads'
import type { SearchFilter, SearchRequest } from '../search-request'

const Call = z.object({
  id: z.string(),
  trace_id: z.string(),
  parent_id: textOrNull,
  thread_id: textOrNull,
  turn_id: textOrNull,
  user_id: textOrNull,
  is_conversation: flag,
  op_name: z.string(),
  started_at: engineTime,
  exception: z.nullable(z.string()),
  inputs: z.string(),
  output: z.string(),
})
type Call = z.infer<typeof Call>
type PlacedCall = Call & { thread: string | null; user: string | null; turnStart: string }

/** The reference model of `searchThreads`: every call is read with its payload, and every filter looks at every call. */
export async function referenceSearch(store: Store, request: SearchRequest): Promise<FoundThread[]> {
  const { project_id, filter, sort_by: sort = [], limit = Infinity, offset = 0 } = request
  const { after_datetime, before_datetime, thread_ids } = filter ?? {}
  const calls = (await readPlacedCalls(store, project_id)).filter((call) => isBetween(call.turnStart, filter))
  const spends = await readSpends(store, request, new Set(calls.map(({ id }) => id)))
  const found: FoundThread[] = []
  const threads = listThreads(store, { project_id, filter: { after_datetime, before_datetime, thread_ids } })
  for await (const rows of threads) {
    for (const thread of rows) {
      const own = calls.filter((call) => call.thread === thread.thread_id)
      const spend = spends.get(thread.thread_id) ?? { total_tokens: 0, costs: [], unpriced_call_count: 0, models: [] }
      const result = { ...thread, error_count: own.filter((call) => call.exception !== null).length, ...spend }
      if (isFound(result, own, filter)) found.push(result)
    }
  }
  const keys = sort.length > 0 ? sort : [{ field: 'last_updated', direction: 'desc' } as const]
  const sorted = found.toSorted((left, right) => {
    for (const { field, direction } of keys) {
      const order = compareBy(field, left, right, direction === 'asc' ? 1 : -1)
      if (order !== 0) return order
    }
    return compareText(left.thread_id, right.thread_id)
  })
  return sorted.slice(offset, offset + limit)
}

/** The reference model of `findMatchingCalls`, without its limit and its turns. */
export async function referenceMatchingCalls(
  store: Store,
  { project_id: projectId, thread_id: threadId, filter }: { project_id: string; thread_id: string; filter: SearchFilter },
): Promise<string[]> {
  const placed = await readPlacedCalls(store, projectId)
  const own = placed.filter((call) => call.thread === threadId && isBetween(call.turnStart, filter))
  const models = await readModelsById(store, projectId)
  const words = toWords(filter.text ?? '', searchedWord)
  const isPrefix = threadId.startsWith(filter.thread_id_prefix ?? '')
  const met = own.map((call) => {
    const conditions = [
      words.length > 0 && hasWords(call, words),
      filter.has_errors === true && call.exception !== null,
      filter.op_names?.includes(call.op_name),
      call.user !== null && filter.users?.includes(call.user),
      models.get(call.id)?.some((model) => filter.models?.includes(model)),
    ]
    return { call, count: isPrefix ? conditions.filter(Boolean).length : 0 }
  })
  const most = Math.max(1, ...met.map(({ count }) => count))
  const best = met.filter(({ count }) => count === most).map(({ call }) => call)
  const byStart = (left: Call, right: Call) =>
    compareInstants(left.started_at, right.started_at) || compareText(left.id, right.id)
  return best.toSorted(byStart).map(({ id }) => id)
}

async function readModelsById(store: Store, projectId: string): Promise<ReadonlyMap<string, string[]>> {
  const models = new Map<string, string[]>()
  for await (const trace of readTraces(store, projectId, sql`SELECT id FROM call_starts WHERE project_id = ${projectId}`, {})) {
    for (const { call, usage } of await findOwnUsage(trace)) models.set(call.id, [...usage.keys()])
  }
  return models
}

async function readPlacedCalls(store: Store, projectId: string): Promise<PlacedCall[]> {
  const statement = sql`SELECT id, trace_id, parent_id, thread_id, turn_id, ${endUserSql} AS user_id, is_conversation, op_name,
  started_at, exception, inputs, output FROM ${allCalls(projectId)} WHERE started_at IS NOT NULL`
  const calls = await store.query(statement, Call)
  const find = (call: Call, id: string | null) => calls.find((each) => each.id === id && each.trace_id === call.trace_id)
  const above = (call: Call): Call[] => {
    const chain = [call]
    for (let next = find(call, call.parent_id); next && !chain.includes(next); next = find(next, next.parent_id)) chain.push(next)
    return chain
  }
  const isInCircle = (call: Call) => above(call).some((each) => each.parent_id === call.id)
  // Calls in a circle have no parents.
  const path = (call: Call): Call[] => {
    const chain = above(call)
    const end = chain.findIndex((each) => isInCircle(each))
    return end < 0 ? chain : chain.slice(0, end + 1)
  }
  const threadOf = (call: Call) => path(call).find((each) => each.thread_id !== null)?.thread_id ?? null
  const isTurn = (call: Call) => {
    const parent = path(call)[1]
    if (call.thread_id === null) return false
    if (!call.is_conversation) return call.turn_id === call.id
    return (call.turn_id === null || call.turn_id === call.id) && parent?.thread_id !== call.thread_id
  }
  return calls.map((call) => {
    const thread = threadOf(call)
    const chain = path(call)
    const end = chain.findIndex((each, index) => {
      const next = chain[index + 1]
      return isTurn(each) || next === undefined || threadOf(next) !== thread
    })
    const user = chain.find((each) => each.user_id !== null)?.user_id ?? null
    return Object.assign(call, { thread, user, turnStart: chain[end]?.started_at ?? call.started_at })
  })
}

async function readSpends(store: Store, { project_id }: SearchRequest, callIds: ReadonlySet<string>) {
  const prices = new PriceBook(store, project_id)
  const request = {
    project_id,
    group_by: ['thread_id', 'model'] as ('thread_id' | 'model')[],
    limit: undefined,
    offset: undefined,
  }
  const groups = new SpendGroups(request, prices)
  for await (const trace of readTraces(store, project_id, sql`SELECT id FROM call_starts WHERE project_id = ${project_id}`, {})) {
    for (const { call, threadId, userId, usage } of await findOwnUsage(trace)) {
      if (!callIds.has(call.id)) continue
      await prices.load(usage.keys(), {})
      groups.add({
        callCount: 1,
        startedAt: call.started_at,
        opName: call.op_name,
        provider: call.provider,
        userId,
        threadId,
        shares: [...usage].map(([model, tokens]) => ({ model, usage: tokens, inputTokens: tokens.prompt_tokens })),
      })
    }
  }
  const spends = new Map<string, Pick<FoundThread, 'total_tokens' | 'costs' | 'unpriced_call_count' | 'models'>>()
  for (const group of await groups.toPage(new TimeSlices())) {
    const id = group.thread_id ?? ''
    const known = spends.get(id) ?? { total_tokens: 0, costs: [], unpriced_call_count: 0, models: [] }
    const currencies = new Set([...known.costs, ...group.costs].map(({ currency }) => currency))
    spends.set(id, {
      total_tokens: known.total_tokens + group.prompt_tokens + group.completion_tokens,
      unpriced_call_count: known.unpriced_call_count + group.unpriced_call_count,
      models: [...known.models, group.model ?? ''].toSorted(compareText),
      costs: [...currencies].toSorted(compareText).map((currency) => {
        const amounts = [...known.costs, ...group.costs].filter((each) => each.currency === currency)
        return { currency, total: addAmounts(amounts.map(({ total }) => total)) }
      }),
    })
  }
  return spends
}

/** In whole units of 10^-30. */
function addAmounts(amounts: readonly string[]): string {
  const sum = amounts.reduce((total, amount) => {
    const [whole = '', fraction = ''] = amount.split('.')
    return total + BigInt(whole + fraction.padEnd(30, '0'))
  }, 0n)
  const digits = String(sum).padStart(31, '0')
  return `${digits.slice(0, -30)}.${digits.slice(-30)}`.replace(/\.?0+$/, '')
}

function isBetween(at: string, { after_datetime: after, before_datetime: before }: Partial<SearchFilter> = {}): boolean {
  return (after === undefined || compareInstants(at, after) > 0) && (before === undefined || compareInstants(at, before) < 0)
}

function isFound(thread: FoundThread, calls: readonly PlacedCall[], filter: Partial<SearchFilter> = {}): boolean {
  const usd = thread.costs.find(({ currency }) => currency === 'USD')?.total
  const isSome = (values: readonly string[] | undefined, found: readonly (string | null)[]) =>
    !values?.length || found.some((each) => each !== null && values.includes(each))
  const words = toWords(filter.text ?? '', searchedWord)
  return (
    thread.thread_id.startsWith(filter.thread_id_prefix ?? '') &&
    (words.length === 0 || calls.some((call) => hasWords(call, words))) &&
    (filter.has_errors === undefined || thread.error_count > 0 === filter.has_errors) &&
    isSome(filter.models, thread.models) &&
    isSome(
      filter.op_names,
      calls.map((call) => call.op_name),
    ) &&
    isSome(
      filter.users,
      calls.map((call) => call.user),
    ) &&
    thread.turn_count >= (filter.min_turns ?? 0) &&
    (filter.min_p50_ms === undefined || (thread.p50_turn_duration_ms ?? -1) >= filter.min_p50_ms) &&
    (filter.min_p99_ms === undefined || (thread.p99_turn_duration_ms ?? -1) >= filter.min_p99_ms) &&
    (filter.min_cost === undefined ||
      (usd !== undefined && compareDecimals(parsePlainDecimal(usd), parsePlainDecimal(filter.min_cost)) >= 0))
  )
}

const searchedWord = /[\p{L}\p{M}\p{N}_]+\*?/gu

function toWords(text: string, pattern: RegExp): string[] {
  return text.match(pattern)?.map((word) => word.toLowerCase()) ?? []
}

function hasWords({ inputs, output, exception }: Call, searched: readonly string[]): boolean {
  const texts = [inputs, output].flatMap((json) => (json === '' ? [] : collectTexts(JSON.parse(json))))
  const words = [...texts, exception ?? ''].flatMap((text) => toWords(text, /[\p{L}\p{M}\p{N}_]+/gu))
  return searched.every((word) =>
    word.endsWith('*') ? words.some((each) => each.startsWith(word.slice(0, -1))) : words.includes(word),
  )
}

function collectTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(collectTexts)
  if (typeof value !== 'object' || value === null) return [String(value)]
  return [...Object.keys(value), ...Object.values(value).flatMap(collectTexts)]
}

type SortField = NonNullable<SearchRequest['sort_by']>[number]['field']

/** Threads without money are last, and those without USD behind those with it. */
function compareBy(field: SortField, left: FoundThread, right: FoundThread, sign: 1 | -1): number {
  if (field !== 'total_cost') return compareFields(toSortValue(left, field), toSortValue(right, field), sign)
  const [one, other] = [left, right].map(({ costs }) => costs.find(({ currency }) => currency === 'USD') ?? costs[0])
  if (!one || !other) return Number(!one) - Number(!other)
  if (one.currency !== other.currency) return one.currency === 'USD' ? -1 : 1
  return sign * compareDecimals(parsePlainDecimal(one.total), parsePlainDecimal(other.total))
}

function toSortValue(thread: FoundThread, field: Exclude<SortField, 'total_cost'>): string | number | null {
  const value = thread[field]
  return field === 'start_time' || field === 'last_updated' ? Number(parseInstant(String(value))) : value
}

function compareFields(left: string | number | null, right: string | number | null, sign: 1 | -1): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null)
  return sign * (typeof left === 'number' && typeof right === 'number' ? left - right : compareText(String(left), String(right)))
}
