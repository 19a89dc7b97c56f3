import * as fc from 'fast-check'
import { afterAll, beforeAll, expect } from 'vitest'
import { testProperty } from '../../testing/test-property'
import type { CallRow } from '../ingest/call-row'
import { toStoredCost } from '../pricing/stored-cost'
import { CallWriterFixture } from '../testing/call-writer-fixture'
import { silentLogger } from '../testing/silent-logger'
import type { PageSizes } from '../derive/trace-deriver'
import type { RowLimits } from '../derive/written-rows'
import { querySpend } from './query-spend'
import { SpendDeriver } from './spend-deriver'
import type { SpendRequest } from './spend-request'
import { referenceSpend } from './testing/reference-spend'

let fixture: CallWriterFixture
const openSpends = (sizes: { pageSizes: PageSizes | undefined; rowLimits: RowLimits | undefined }) =>
  new SpendDeriver({ store: fixture.store, deriver: fixture.deriver, logger: silentLogger, ...sizes })
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
})
afterAll(() => fixture.close())

const toId = (index: number) => `c${index.toString().padStart(15, '0')}`
const toInstant = (minute: number) => `2026-03-29T00:${String(minute).padStart(2, '0')}:00.5Z`

const usage = fc.dictionary(
  fc.constantFrom('m', 'n', 'unknown'),
  fc.oneof(
    fc.record({ requests: fc.nat(2), prompt_tokens: fc.nat(900), completion_tokens: fc.nat(90) }),
    fc.record({ prompt_tokens: fc.nat(900), total_tokens: fc.nat(2000) }),
    fc.record({
      input_tokens: fc.nat(900),
      output_tokens: fc.nat(90),
      cache_read_input_tokens: fc.nat(900),
      cache_creation_input_tokens: fc.nat(90),
    }),
    fc
      .record({ prompt: fc.nat(300), cached: fc.nat(300), audio: fc.nat(300), reasoning: fc.nat(90) })
      .map(({ prompt, cached, audio, reasoning }) => ({
        prompt_tokens: prompt,
        prompt_tokens_details: { cached_tokens: cached, audio_tokens: audio },
        completion_tokens: 60,
        completion_tokens_details: { reasoning_tokens: reasoning, audio_tokens: 50 },
        total_tokens: prompt + 60,
      })),
  ),
  { maxKeys: 2 },
)

/** Any parts of a few calls: they contradict each other, move calls between traces, and come before their starts. */
const part = fc.record({
  index: fc.nat(5),
  trace: fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, { weight: 2, arbitrary: fc.integer({ min: 2, max: 3 }) }),
  parent: fc.option(fc.nat(5)),
  thread: fc.option(fc.constantFrom('t', 'u'), { freq: 2 }),
  user: fc.option(fc.constantFrom('kim', 'jo'), { freq: 2 }),
  op: fc.constantFrom('a', 'b'),
  provider: fc.constantFrom('', 'p', 'q'),
  minute: fc.option(fc.nat(59), { freq: 4 }),
  usage: fc.option(usage, { freq: 4 }),
  isSpan: fc.boolean(),
  isDeleted: fc.integer({ min: 0, max: 15 }).map((value) => value === 0),
})
type Part = Parameters<Parameters<typeof part.map>[0]>[0]

function toRow(projectId: string, each: Part): CallRow {
  const id = toId(each.index)
  if (each.isDeleted) return { project_id: projectId, id, deleted_at: toInstant(0) }
  return {
    project_id: projectId,
    id,
    ...(each.minute !== null && {
      started_at: toInstant(each.minute),
      trace_id: String(each.trace).repeat(32),
      parent_id: each.parent === null || each.parent === each.index ? undefined : toId(each.parent),
      thread_id: each.thread ?? undefined,
      op_name: each.op,
      is_span: each.isSpan || undefined,
      attributes: { ...(each.provider && { provider: each.provider }), ...(each.user && { user_id: each.user }) },
    }),
    ...(each.usage && { summary: { usage: each.usage } }),
  }
}

const price = fc.record({
  model: fc.constantFrom('m', 'n'),
  minute: fc.nat(59),
  provider: fc.constantFrom('p', 'q'),
  unit: fc.constantFrom('USD', 'EUR'),
  prompt: fc.integer({ min: 0, max: 999 }),
  read: fc.option(fc.nat(99)),
})

const requests: Partial<SpendRequest>[] = [
  {},
  { group_by: ['model'], reprice_as: [{ llm_id: 'ref', provider_id: undefined }] },
  { group_by: ['provider', 'user'] },
  { group_by: ['thread_id', 'op_name'], filter: filterOf({ models: ['m'] }) },
  { group_by: ['interval', 'model'], interval: 'hour', time_zone: 'Europe/Berlin' },
  { group_by: ['interval'], interval: 'day', time_zone: 'Asia/Kolkata', filter: filterOf({ users: ['kim'] }) },
  { group_by: ['user'], filter: filterOf({ providers: ['p'], after_datetime: toInstant(10), before_datetime: toInstant(40) }) },
  { group_by: ['op_name'], filter: filterOf({ thread_ids: ['t'], op_names: ['a'] }) },
]

function filterOf(filter: Partial<NonNullable<SpendRequest['filter']>>) {
  return filter as NonNullable<SpendRequest['filter']> // absent is undefined
}

let priceCount = 0
async function storePrice(
  projectId: string,
  each: { model: string; minute: number; provider: string; unit: string; prompt: number; read: number | null },
) {
  const toCost = (value: number) => Number(`${value}e-9`)
  const stored = toStoredCost(
    {
      project_id: projectId,
      id: String((priceCount += 1)).padStart(6, '0'),
      llm_id: each.model,
      provider_id: each.provider,
      prompt_token_cost: toCost(each.prompt),
      completion_token_cost: toCost(7),
      cache_read_input_token_cost: each.read === null ? null : toCost(each.read),
      prompt_token_cost_unit: each.unit,
      completion_token_cost_unit: each.unit,
      effectiveDate: toInstant(each.minute),
      created_by: '',
    },
    0,
  )
  await fixture.store.insert('costs', [stored])
}

let run = 0
testProperty(
  'spends are those of the reference model at any moment, whatever arrives in whatever order and however prices change',
  fc.record({
    parts: fc.array(part, { minLength: 4, maxLength: 24 }),
    sizes: fc.array(fc.integer({ min: 2, max: 9 }), { minLength: 1, maxLength: 3 }),
    prices: fc.array(price, { maxLength: 3 }),
    restarts: fc.boolean(),
    // With few calls to a page, nearly all is a backlog.
    pageSizes: fc.constantFrom(undefined, { calls: 2, callsOfBacklog: 5 }),
    // What is written is remembered of all traces, of some, of none.
    rowLimits: fc.constantFrom({ minRows: 1, maxRows: 1000 }, { minRows: 1, maxRows: 6 }, undefined),
  }),
  { runs: 12, timeoutMs: 600_000 },
  async ({ parts, sizes, prices, restarts, pageSizes, rowLimits }) => {
    let spends = openSpends({ pageSizes, rowLimits })
    const projectId = `spend/run-${(run += 1)}`
    await storePrice(projectId, { model: 'ref', minute: 0, provider: 'p', unit: 'USD', prompt: 3, read: 1 })
    for (let from = 0, step = 0; from < parts.length; step += 1) {
      const to = from + (sizes[step % sizes.length] ?? 1)
      await fixture.writer.write(parts.slice(from, to).map((each) => toRow(projectId, each)))
      from = to
      const change = prices[step]
      if (change) await storePrice(projectId, change)
      // A new process knows nothing but the store.
      if (restarts && step % 2 === 1) spends = openSpends({ pageSizes, rowLimits })
      await spends.flush(projectId)
      for (const request of requests) {
        const full: SpendRequest = { limit: undefined, offset: undefined, ...request, project_id: projectId }
        const found = await querySpend(fixture.store, full, {})
        expect({ request, found }).toEqual({ request, found: await referenceSpend(fixture.store, full, {}) })
      }
    }
  },
)
