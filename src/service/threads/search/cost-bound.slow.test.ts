import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { testProperty } from '../../../testing/test-property'
import { bundledCatalog, syncCatalog } from '../../pricing/sync-catalog'
import { toStoredCost } from '../../pricing/stored-cost'
import { type SpentRow, toUsageFields } from '../../spend/spent-row'
import { sumSpendsByThread } from '../../store/spend-tables'
import { sql } from '../../store/sql'
import { openTemporaryStore } from '../../store/testing/temporary-store'
import type { DetailedUsage } from '../../usage/usage'
import { selectDearThreads } from './cost-bound'
import type { SearchRequest } from './search-request'
import { searchThreads } from './search-threads'
import { readSpends } from './thread-details'

let place: Awaited<ReturnType<typeof openTemporaryStore>>
beforeAll(async () => {
  place = await openTemporaryStore()
  await syncCatalog(place.store, await bundledCatalog(), 0)
})
afterAll(() => place.remove())

/** Prices of a project from several days on, one of them in another currency. */
async function insertOwnPrices(projectId: string): Promise<void> {
  const price = (llm_id: string, day: number, unit: string) =>
    toStoredCost(
      {
        project_id: projectId,
        id: `${llm_id}-${day}`,
        llm_id,
        provider_id: 'default',
        prompt_token_cost: day / 1e6,
        completion_token_cost: 2e-6,
        prompt_token_cost_unit: unit,
        completion_token_cost_unit: 'USD',
        effectiveDate: `2026-01-${String(day).padStart(2, '0')}T06:00:00Z`,
        created_by: '',
      },
      0,
    )
  const prices = [price('o3', 5, 'USD'), price('o3', 12, 'USD'), price('o3', 9, 'USD'), price('in-euro', 1, 'EUR')]
  await place.store.insert('costs', prices)
}

/** Prices by the hour, by the length of the prompt, of caches and of audio, by request, and several providers. */
const models = [
  'deepseek-chat',
  'gemini-2.5-pro',
  'gemini-2.5-flash',
  'claude-sonnet-4-5',
  'gpt-4o-audio-preview',
  'sonar',
  'gpt-4o',
  'o3',
  'in-euro',
  'unknown',
]
const tokens = fc.oneof(fc.constant(0), fc.nat(900), fc.nat(400_000))
const usage: fc.Arbitrary<DetailedUsage> = fc.record({
  requests: fc.nat(3),
  prompt_tokens: tokens,
  completion_tokens: tokens,
  total_tokens: tokens,
  cache_read_input_tokens: tokens,
  cache_creation_input_tokens: tokens,
  details: fc.record({
    inputAudioTokens: tokens,
    cacheReadAudioTokens: tokens,
    cacheWrite1hTokens: tokens,
    outputAudioTokens: tokens,
    reasoningTokens: tokens,
  }),
})
const usageByModel = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom(...models), usage).map((pair): [string, DetailedUsage][] => [pair]) },
  { weight: 1, arbitrary: fc.array(fc.tuple(fc.constantFrom(...models), usage), { minLength: 2, maxLength: 3 }) },
)
type SpentCall = { usages: [string, DetailedUsage][]; provider: string; hour: number; second: number }
const call: fc.Arbitrary<SpentCall> = fc.record({
  usages: usageByModel,
  provider: fc.constantFrom('', 'openai', 'azure', 'deepseek', 'elsewhere'),
  hour: fc.nat(24 * 15),
  second: fc.nat(3599),
})

function toRow(projectId: string, thread: number, index: number, each: SpentCall): SpentRow {
  const startedAt = new Date(Date.UTC(2026, 0, 1) + (each.hour * 3600 + each.second) * 1000)
  const start = startedAt.toISOString().replace('T', ' ').replace('Z', '000')
  return {
    project_id: projectId,
    started_at: start,
    id: `${thread}-${index}`,
    is_spent: 1,
    op_name: 'op',
    user_id: '',
    thread_id: `thread-${thread}`,
    turn_started_at: start,
    provider: each.provider,
    ...toUsageFields(new Map(each.usages)),
    version: '1',
  }
}

const ThreadRow = z.object({ thread_id: z.string() })

async function findDear(request: SearchRequest, minCost: string): Promise<string[]> {
  const dear = await selectDearThreads(place.store, request, minCost, {})
  return (await place.store.query(dear, ThreadRow)).map(({ thread_id: id }) => id)
}

function toThread(projectId: string, thread: number) {
  const at = '2026-01-01 00:00:00'
  const id = `thread-${thread}`
  const turns = { turn_count: 1, start_time: at, last_updated: at, first_turn_id: `${id}-turn` }
  return { project_id: projectId, thread_id: id, ...turns, version: '1' }
}

/** In steps of two threads. */
async function findDearest(projectId: string, more: Partial<SearchRequest>): Promise<string[]> {
  const request: SearchRequest = {
    project_id: projectId,
    sort_by: [{ field: 'total_cost', direction: 'desc' }],
    ...more,
  }
  const ids: string[] = []
  for await (const rows of searchThreads(place.store, request, {}, { atLeast: 1, perThread: 0 })) {
    for (const { thread_id: id } of rows) ids.push(id)
  }
  return ids
}

const toRequest = (projectId: string): SearchRequest => ({ project_id: projectId })
const allThreads = { threadIds: undefined, byModel: false }

let run = 0
testProperty(
  'no thread that costs so much is left out, whatever it spent at whatever prices',
  fc.record({
    threads: fc.array(fc.array(call, { minLength: 1, maxLength: 4 }), { minLength: 30, maxLength: 30 }),
    hasOwnPrices: fc.boolean(),
  }),
  { runs: 4 },
  async ({ threads, hasOwnPrices }) => {
    const projectId = `acme/run-${(run += 1)}`
    if (hasOwnPrices) await insertOwnPrices(projectId)
    const rows = threads.flatMap((calls, thread) => calls.map((each, index) => toRow(projectId, thread, index, each)))
    await place.store.insert('spent_calls', rows)
    const request = toRequest(projectId)
    const spends = await readSpends(place.store, request, allThreads, {})
    const amounts = [...spends].map(([id, { costs }]) => [id, costs.find(({ currency }) => currency === 'USD')?.total] as const)
    for (const [id, amount] of amounts) if (amount !== undefined) expect(await findDear(request, amount)).toContain(id)
    expect(amounts.filter(([, amount]) => Number(amount) > 0).length).toBeGreaterThan(10)

    await place.store.insert(
      'threads',
      threads.map((_, thread) => toThread(projectId, thread)),
    )
    // Without a limit all threads are priced.
    const all = await findDearest(projectId, {})
    expect(all.length).toBe(threads.length)
    for (const limit of [1, 2, 9]) expect(await findDearest(projectId, { limit })).toEqual(all.slice(0, limit))
    expect(await findDearest(projectId, { limit: 3, offset: 4 })).toEqual(all.slice(4, 7))
    const [, second] = all
    const filter = { min_cost: spends.get(second ?? '')?.costs.find(({ currency }) => currency === 'USD')?.total }
    expect(await findDearest(projectId, { limit: 9, filter })).toEqual(all.slice(0, 2))
  },
)

test('a thread whose calls have one price each is left out where it costs a little less', async () => {
  const projectId = 'acme/plain'
  const plain = (prompt_tokens: number): DetailedUsage => ({
    requests: 1,
    prompt_tokens,
    completion_tokens: 10,
    total_tokens: prompt_tokens + 10,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
    details: { inputAudioTokens: 0, cacheReadAudioTokens: 0, cacheWrite1hTokens: 0, outputAudioTokens: 0, reasoningTokens: 0 },
  })
  const rows = [1000, 2000, 3000].map((count, thread) =>
    toRow(projectId, thread, 0, { usages: [['gpt-4o', plain(count)]], provider: 'openai', hour: 1, second: 1 }),
  )
  await place.store.insert('spent_calls', rows)
  const request = toRequest(projectId)
  const spends = await readSpends(place.store, request, allThreads, {})
  const amount = spends.get('thread-1')?.costs[0]?.total ?? ''
  expect(Number(amount)).toBeGreaterThan(0.001)
  expect((await findDear(request, amount)).toSorted()).toEqual(['thread-1', 'thread-2'])
  expect(await findDear(request, (Number(amount) * 1.001).toFixed(12))).toEqual(['thread-2'])
  expect(await findDear(toRequest('acme/nothing'), '0')).toEqual([])
})

const PlanRow = z.object({ explain: z.string() })

async function explain(): Promise<string> {
  const dear = await selectDearThreads(place.store, toRequest('acme/plain'), '1', {})
  const plan = await place.store.query(sql`EXPLAIN ${dear}`, PlanRow, {})
  return plan.map((row) => row.explain).join('\n')
}

test('the engine reads the sums of threads, not their calls, also of calls that were there before the sums', async () => {
  const readsSums = 'ReadFromMergeTree (by_thread)'
  const readsCalls = 'spent_calls)'
  expect(await explain()).toContain(readsSums)
  await place.store.command(sql`ALTER TABLE spent_calls DROP PROJECTION by_thread SETTINGS mutations_sync = 1`)
  expect(await explain()).toContain(readsCalls)
  // Again: a start may be interrupted.
  for (const statement of [...sumSpendsByThread, ...sumSpendsByThread]) await place.store.command(statement)
  await vi.waitFor(async () => expect(await explain()).not.toContain(readsCalls), 20_000)
  expect(await explain()).toContain(readsSums)
})
