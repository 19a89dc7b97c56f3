import * as fc from 'fast-check'
import { afterAll, beforeAll, expect } from 'vitest'
import { addDecimals, type Decimal, formatPlainDecimal, parsePlainDecimal, toDecimal, zero } from '../contract/decimal'
import { testProperty } from '../testing/test-property'
import { listCalls } from './calls/list-calls'
import type { CallRow } from './ingest/call-row'
import { deleteCosts } from './pricing/delete-costs'
import { toStoredCost } from './pricing/stored-cost'
import { querySpend } from './spend/query-spend'
import { SpendDeriver } from './spend/spend-deriver'
import { CallWriterFixture } from './testing/call-writer-fixture'
import {
  findReferencePrice,
  referenceAmounts,
  type ReferenceCall,
  type ReferencePrice,
  referenceThreadUsage,
  toUnits,
} from './testing/reference-money'
import { silentLogger } from './testing/silent-logger'
import { sumThreadUsage } from './threads/sum-thread-usage'
import { parseUsage } from './usage/usage'
import { toUsageSender } from './usage/usage-sender'

// What threads used and what calls cost, held against one reference model: the sums of the service have one rule.

let fixture: CallWriterFixture
let spends: SpendDeriver
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
  spends = new SpendDeriver({ store: fixture.store, deriver: fixture.deriver, logger: silentLogger })
})
afterAll(() => fixture.close())

const threads = ['t', 'u']
const callCount = 9
const toId = (index: number) => `c${index.toString().padStart(15, '0')}`
const toInstant = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00Z`

/** The usage of one model as its clients send it. Some add up what is below, most random traces contradict themselves. */
const usageOfModel = fc.oneof(
  fc.record({ requests: fc.constant(1), prompt_tokens: fc.nat(900), completion_tokens: fc.nat(90) }),
  fc.record({ prompt: fc.nat(900), cached: fc.nat(900), completion: fc.nat(90) }).map(({ prompt, cached, completion }) => ({
    requests: 1,
    prompt_tokens: prompt + cached,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens: completion,
    total_tokens: prompt + cached + completion,
  })),
  fc.record({
    requests: fc.constant(1),
    input_tokens: fc.nat(900),
    output_tokens: fc.nat(90),
    cache_read_input_tokens: fc.nat(900),
    cache_creation_input_tokens: fc.nat(90),
  }),
)

const calls = fc.uniqueArray(
  fc.record({
    index: fc.nat(callCount - 1),
    trace: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) }),
    parent: fc.option(fc.nat(callCount), { freq: 6 }),
    thread: fc.option(fc.constantFrom(...threads), { freq: 1 }),
    isTurn: fc.boolean(),
    isSpan: fc.boolean(),
    minute: fc.nat(50),
    isNewPython: fc.boolean(),
    response: fc.constantFrom('', '', 'r', 's'),
    library: fc.constantFrom('x', 'y'),
    usage: fc.dictionary(fc.constantFrom('m', 'n', 'free', 'unknown'), usageOfModel, { maxKeys: 2 }),
  }),
  { selector: ({ index }) => index, minLength: 1, maxLength: callCount },
)
type TestCall = Parameters<Parameters<typeof calls.map>[0]>[0][number]

const cost = fc.option(fc.bigInt({ min: 0n, max: 5000n }), { freq: 3 })
const priceChange = fc.record({
  model: fc.constantFrom('m', 'n'),
  minute: fc.nat(50),
  unit: fc.constantFrom('USD', 'EUR'),
  prompt: cost,
  completion: cost,
  read: cost,
  write: cost,
})

const catalogPrice = (model: string, unit: string, read: bigint | null): ReferencePrice => ({
  model,
  unit,
  isOwn: false,
  effective: '2020-01-01T00:00:00Z',
  prompt: 2500n,
  completion: 10_000n,
  read,
  write: null,
})
const catalog = [catalogPrice('m', 'USD', 250n), catalogPrice('n', 'EUR', null), catalogPrice('free', 'USD', 0n)]

let priceCount = 0
async function storePrice(projectId: string, price: ReferencePrice): Promise<string> {
  priceCount += 1
  const toCost = (nano: bigint | null) => (nano === null ? null : toUnits(nano))
  const stored = toStoredCost(
    {
      project_id: projectId,
      id: `${price.isOwn ? '' : 'catalog:'}${String(priceCount).padStart(6, '0')}`,
      llm_id: price.model,
      provider_id: 'p',
      prompt_token_cost: toCost(price.prompt),
      completion_token_cost: toCost(price.completion),
      cache_read_input_token_cost: toCost(price.read),
      cache_creation_input_token_cost: toCost(price.write),
      prompt_token_cost_unit: price.unit,
      completion_token_cost_unit: price.unit,
      effectiveDate: price.effective,
      created_by: '',
    },
    0,
  )
  await fixture.store.insert('costs', [stored])
  return stored.id
}
beforeAll(async () => {
  for (const price of catalog) await storePrice('', price)
})

const senderOf = ({ isNewPython }: TestCall) =>
  isNewPython ? { integration: { name: 'anthropic', version: '0.54.0' } } : { weave: { source: 'js-sdk' } }
const spanOf = ({ response, library }: TestCall) => ({ response_id: response, otel_span: { scope: { name: library } } })

/** A span arrives as a whole, a call of Weave in two parts. */
function toParts(call: TestCall, projectId: string): CallRow[] {
  const id = toId(call.index)
  const start: CallRow = {
    project_id: projectId,
    id,
    trace_id: String(call.trace).repeat(32),
    parent_id: call.parent === null ? undefined : toId(call.parent),
    thread_id: call.thread ?? undefined,
    turn_id: call.isTurn ? id : undefined,
    is_span: call.isSpan || undefined,
    op_name: 'op',
    started_at: toInstant(call.minute),
    attributes: { ...senderOf(call), ...spanOf(call) },
  }
  const end: CallRow = { project_id: projectId, id, ended_at: toInstant(call.minute + 1), summary: { usage: call.usage } }
  return call.isSpan ? [{ ...start, ...end }] : [start, end]
}

/** What is known of the calls from the parts that have arrived. */
function toReferenceCalls(all: readonly TestCall[], arrived: readonly CallRow[]): ReferenceCall[] {
  return all.flatMap((call) => {
    const own = arrived.filter(({ id }) => id === toId(call.index))
    if (!own.some((part) => part.started_at !== undefined)) return []
    const { integration } = { integration: undefined, ...senderOf(call) }
    const sender = toUsageSender({
      isSpan: call.isSpan,
      source: integration ? '' : 'js-sdk',
      clientVersion: '',
      integration: integration?.name ?? '',
      integrationVersion: integration?.version ?? '',
      statusCounts: undefined,
    })
    return {
      id: toId(call.index),
      trace_id: String(call.trace).repeat(32),
      parent_id: call.parent === null || call.parent === call.index ? null : toId(call.parent),
      thread_id: call.thread,
      user_id: null,
      is_span: call.isSpan,
      response_id: call.response === '' ? null : call.response,
      library: call.library,
      started_at: toInstant(call.minute),
      usage: parseUsage(own.some(({ summary }) => summary !== undefined) ? call.usage : undefined, sender),
    }
  })
}

async function expectThreads(projectId: string, known: readonly ReferenceCall[], prices: readonly ReferencePrice[]) {
  await spends.flush(projectId)
  const usage = await sumThreadUsage(fixture.store, projectId, threads, {})
  for (const { thread_id: threadId, models, total_cost } of usage) {
    const expected = referenceThreadUsage(known, prices, threadId)
    const tokens = Object.fromEntries(
      Object.keys(expected.tokens).map((kind) => [
        kind,
        Object.values(models).reduce((sum, model) => sum + model[kind as keyof typeof expected.tokens], 0), // its own keys
      ]),
    )
    expect({ threadId, tokens, total_cost }).toEqual({ threadId, ...expected })
  }
}

async function expectCosts(projectId: string, known: readonly ReferenceCall[], prices: readonly ReferencePrice[]) {
  const found = []
  for await (const batch of listCalls(fixture, { project_id: projectId, include_costs: true })) found.push(...batch)
  expect(found).toHaveLength(known.length)
  for (const { id, summary } of found) {
    const call = known.find((each) => each.id === id)
    const expected = [...(call?.usage ?? [])].flatMap(([model, usage]) => {
      const price = findReferencePrice(prices, model, call?.started_at ?? '')
      if (!price) return []
      const { prompt, completion, read, write } = referenceAmounts(usage, price)
      const toTotal = (nano: bigint | null) => (nano === null ? null : toUnits(nano))
      const totals = {
        prompt_tokens: usage.prompt_tokens,
        prompt_tokens_total_cost: toTotal(prompt),
        completion_tokens_total_cost: toTotal(completion),
        cache_read_input_tokens_total_cost: toTotal(read),
        cache_creation_input_tokens_total_cost: toTotal(write),
      }
      return [[model, totals] as const]
    })
    const costs = Object.fromEntries(
      Object.entries(summary?.weave.costs ?? {}).map(([model, each]) => [
        model,
        {
          prompt_tokens: each.prompt_tokens,
          prompt_tokens_total_cost: each.prompt_tokens_total_cost,
          completion_tokens_total_cost: each.completion_tokens_total_cost,
          cache_read_input_tokens_total_cost: each.cache_read_input_tokens_total_cost,
          cache_creation_input_tokens_total_cost: each.cache_creation_input_tokens_total_cost,
        },
      ]),
    )
    expect(costs).toEqual(Object.fromEntries(expected))
  }
}

const arrivals = calls.chain((all) => {
  const parts = all.flatMap((call) => toParts(call, ''))
  return fc.record({
    all: fc.constant(all),
    order: fc.shuffledSubarray([...parts.keys()], { minLength: parts.length, maxLength: parts.length }),
    repeated: fc.array(fc.nat(parts.length - 1), { maxLength: 4 }),
    sizes: fc.array(fc.integer({ min: 3, max: 9 }), { minLength: 1, maxLength: 3 }),
    changes: fc.array(priceChange, { maxLength: 3 }),
  })
})

let run = 0
testProperty(
  'threads agree with the reference model at any moment, and calls in the end, whatever arrives in whatever order and however prices change',
  arrivals,
  { runs: 12, timeoutMs: 300_000 },
  async ({ all, order, repeated, sizes, changes }) => {
    const projectId = `money/run-${(run += 1)}`
    const parts = all.flatMap((call) => toParts(call, projectId))
    const sent = [...order, ...repeated].flatMap((index) => parts[index] ?? [])
    const prices = [...catalog]
    for (let from = 0, step = 0; from < sent.length; step += 1) {
      const to = from + (sizes[step % sizes.length] ?? 1)
      await fixture.writer.write(sent.slice(from, to))
      from = to
      const change = changes[step]
      if (change) {
        const { minute, ...rest } = change
        const price: ReferencePrice = { ...rest, isOwn: true, effective: toInstant(minute) }
        // Of two own prices from the same minute the later one counts.
        prices.unshift(price)
        await storePrice(projectId, price)
      }
      await expectThreads(projectId, toReferenceCalls(all, sent.slice(0, to)), prices)
    }
    await expectCosts(projectId, toReferenceCalls(all, sent), prices)
  },
)

const tree = fc.array(fc.record({ parent: fc.nat(20), usage: usageOfModel, isTurn: fc.boolean() }), {
  minLength: 2,
  maxLength: 9,
})

/** As both SDKs do it: numbers are added, objects are merged. */
function addUp(left: Record<string, unknown>, right: Record<string, unknown>): Record<string, unknown> {
  const sum = { ...left }
  for (const [name, value] of Object.entries(right)) {
    const before = sum[name]
    if (typeof value === 'number') sum[name] = typeof before === 'number' ? before + value : value
    else sum[name] = addUp((before ?? {}) as Record<string, unknown>, value as Record<string, unknown>) // counts or objects of them
  }
  return sum
}

testProperty(
  'a thread costs what `include_costs` says of its root, where an SDK has added up its calls and they have one price',
  tree,
  { runs: 12, timeoutMs: 300_000 },
  async (nodes) => {
    const projectId = `money/tree-${(run += 1)}`
    // Only the calls of models have a usage of their own, as SDKs report it.
    const parents = nodes.map(({ parent }, index) => (index === 0 ? -1 : parent % index))
    const sums: Record<string, unknown>[] = nodes.map(({ usage }, index) => (parents.includes(index) ? {} : usage))
    for (let index = nodes.length - 1; index > 0; index -= 1) {
      sums[parents[index] ?? 0] = addUp(sums[parents[index] ?? 0] ?? {}, sums[index] ?? {})
    }
    await fixture.writer.write(
      nodes.map(({ isTurn }, index): CallRow => {
        const id = toId(index)
        return {
          project_id: projectId,
          id,
          trace_id: 'a'.repeat(32),
          parent_id: index === 0 ? undefined : toId(parents[index] ?? 0),
          thread_id: index === 0 ? 't' : undefined,
          turn_id: index === 0 && isTurn ? id : undefined,
          op_name: 'op',
          started_at: toInstant(index),
          summary: { usage: { m: sums[index] } },
        }
      }),
    )
    await spends.flush(projectId)
    const [usage] = await sumThreadUsage(fixture.store, projectId, ['t'], {})
    const found = []
    for await (const batch of listCalls(fixture, { project_id: projectId, include_costs: true })) found.push(...batch)
    const root = found.find(({ id }) => id === toId(0))?.summary?.weave.costs?.['m']
    const total =
      (root?.prompt_tokens_total_cost ?? 0) +
      (root?.completion_tokens_total_cost ?? 0) +
      (root?.cache_read_input_tokens_total_cost ?? 0) +
      (root?.cache_creation_input_tokens_total_cost ?? 0)
    expect(usage?.total_cost['USD'] ?? 0).toBeCloseTo(total, 9)
    expect(usage?.models['m']?.prompt_tokens ?? 0).toBe(root?.prompt_tokens ?? 0)
    expect(usage?.models['m']?.requests ?? 0).toBe(root?.requests ?? 0)
  },
)

/** Parts of calls that have no children. They come in any order, again, and with other values: the greater counts. */
const leafPart = fc.record({
  index: fc.nat(4),
  trace: fc.integer({ min: 1, max: 2 }),
  minute: fc.option(fc.nat(50), { freq: 5 }),
  thread: fc.option(fc.constantFrom(...threads)),
  isSpan: fc.boolean(),
  usage: fc.option(fc.dictionary(fc.constantFrom('m', 'n', 'free', 'unknown'), usageOfModel, { maxKeys: 2 }), { freq: 4 }),
})
type LeafPart = Parameters<Parameters<typeof leafPart.map>[0]>[0]

const toOpName = (id: string) => `op of ${id}`

function toLeafRow(projectId: string, { index, trace, minute, thread, isSpan, usage }: LeafPart): CallRow {
  const id = toId(index)
  return {
    project_id: projectId,
    id,
    ...(minute !== null && {
      trace_id: String(trace).repeat(32),
      op_name: toOpName(id),
      started_at: toInstant(minute),
      thread_id: thread ?? undefined,
      is_span: isSpan || undefined,
    }),
    ...(usage && { summary: { usage } }),
  }
}

/** Amounts by what they are for and their currency. */
class Amounts {
  private readonly sums = new Map<string, Decimal>()

  add(key: string, amount: Decimal): void {
    this.sums.set(key, addDecimals(this.sums.get(key) ?? zero, amount))
  }

  /** As text with every digit. What costs nothing says nothing. */
  toObject(): Record<string, string> {
    const entries = [...this.sums].filter(([, { digits }]) => digits !== 0n)
    return Object.fromEntries(entries.map(([key, sum]) => [key, formatPlainDecimal(sum)]))
  }
}

/** What `include_costs` says, by op and currency. Every number is read as the decimal that JSON carries. */
async function readIncludedCosts(projectId: string): Promise<Record<string, string>> {
  const amounts = new Amounts()
  for await (const batch of listCalls(fixture, { project_id: projectId, include_costs: true })) {
    for (const { op_name: op, summary } of batch) {
      for (const each of Object.values(summary?.weave.costs ?? {})) {
        const add = (unit: string | undefined, amount: number | null | undefined) => {
          if (amount !== null && amount !== undefined) amounts.add(`${op} in ${unit}`, toDecimal(amount))
        }
        const { prompt_token_cost_unit: unit } = each
        add(unit, each.prompt_tokens_total_cost)
        add(unit, each.cache_read_input_tokens_total_cost)
        add(unit, each.cache_creation_input_tokens_total_cost)
        add(each.completion_token_cost_unit, each.completion_tokens_total_cost)
      }
    }
  }
  return amounts.toObject()
}

async function readSpends(projectId: string): Promise<Record<string, string>> {
  await spends.flush(projectId)
  const amounts = new Amounts()
  const request = { project_id: projectId, group_by: ['op_name' as const], limit: undefined, offset: undefined }
  for (const { op_name: op, costs } of await querySpend(fixture.store, request, {})) {
    for (const { currency, total } of costs) amounts.add(`${op} in ${currency}`, parsePlainDecimal(total))
  }
  return amounts.toObject()
}

testProperty(
  'calls without children spent what `include_costs` says, to the last digit, at any moment and in the end in any order',
  fc.array(leafPart, { minLength: 3, maxLength: 14 }).chain((parts) =>
    fc.record({
      parts: fc.constant(parts),
      otherOrder: fc.shuffledSubarray([...parts.keys()], { minLength: parts.length, maxLength: parts.length }),
      sizes: fc.array(fc.integer({ min: 2, max: 6 }), { minLength: 1, maxLength: 3 }),
      changes: fc.array(fc.record({ price: priceChange, isRemoved: fc.boolean() }), { maxLength: 3 }),
    }),
  ),
  { runs: 8, timeoutMs: 300_000 },
  async ({ parts, otherOrder, sizes, changes }) => {
    const [projectId, otherId] = [`money/leaves-${(run += 1)}`, `money/leaves-${run}-reordered`]
    for (let from = 0, step = 0; from < parts.length; step += 1) {
      const to = from + (sizes[step % sizes.length] ?? 1)
      const rows = parts.slice(from, to).map((part) => toLeafRow(projectId, part))
      await fixture.writer.write(rows)
      from = to
      const change = changes[step]
      if (change) {
        const { minute, ...rest } = change.price
        const price: ReferencePrice = { ...rest, isOwn: true, effective: toInstant(minute) }
        const id = await storePrice(projectId, price)
        if (change.isRemoved) {
          expect(await readSpends(projectId)).toEqual(await readIncludedCosts(projectId))
          await deleteCosts(fixture.store, projectId, [id])
        } else await storePrice(otherId, price)
      }
      expect(await readSpends(projectId)).toEqual(await readIncludedCosts(projectId))
      await fixture.writer.write(rows)
    }
    await fixture.writer.write(otherOrder.flatMap((index) => (parts[index] ? [toLeafRow(otherId, parts[index])] : [])))
    const spent = await readSpends(projectId)
    expect(await readSpends(otherId)).toEqual(spent)
    expect(await readIncludedCosts(otherId)).toEqual(spent)
  },
)
