import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toStoredCost } from '../pricing/stored-cost'
import type { CallRow } from '../ingest/call-row'
import { CallWriter } from '../ingest/call-writer'
import { openTemporaryStore } from '../store/testing/temporary-store'
import { TurnDeriver } from '../derive/turn-deriver'
import { threadUsage } from './thread-usage'
import { silentLogger } from '../testing/silent-logger'

let place: Awaited<ReturnType<typeof openTemporaryStore>>
let summary: TurnDeriver
let writer: CallWriter
beforeAll(async () => {
  place = await openTemporaryStore()
  summary = new TurnDeriver({ store: place.store, logger: silentLogger })
  writer = new CallWriter(place.store, summary)
  const price = (project_id: string, llm_id: string, prompt: number | null, unit: string) =>
    toStoredCost(
      {
        project_id,
        id: `${project_id}-${llm_id}`,
        llm_id,
        provider_id: 'p',
        prompt_token_cost: prompt,
        completion_token_cost: 0.00001,
        prompt_token_cost_unit: unit,
        completion_token_cost_unit: unit,
        effectiveDate: '2020-01-01T00:00:00Z',
        created_by: '',
      },
      0,
    )
  await place.store.insert('costs', [
    price('', 'm', 0.0000025, 'USD'),
    price('', 'n', 0.1, 'EUR'),
    price('', 'half', null, 'USD'),
  ])
})
afterAll(async () => {
  await writer.close()
  await place.remove()
})

async function usageOf(projectId: string, threadIds: readonly string[]) {
  await summary.flush(projectId)
  return threadUsage(place.store, projectId, threadIds, {})
}

/** A tree as a client has it in mind: what each call itself used, and where it hangs. */
type Node = { parent: number | null; thread: string | null; isTurn: boolean; own: number; says: boolean }

const threads = ['t', 'u']
const nodes = fc.array(
  fc.record({
    parent: fc.option(fc.nat(20), { freq: 4 }),
    thread: fc.option(fc.constantFrom(...threads)),
    isTurn: fc.boolean(),
    own: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1000 })),
    says: fc.boolean(),
  }),
  { minLength: 1, maxLength: 10 },
)

let next = 0
const newId = () => (next += 1).toString(16).padStart(16, '0')

/** Parents come before their children, so that every set of nodes is a forest. */
function parentOf(node: Node, index: number): number | null {
  return node.parent === null || index === 0 ? null : node.parent % index
}

function below(tree: readonly Node[], at: number): number[] {
  const children = tree.flatMap((node, index) => (parentOf(node, index) === at ? [index] : []))
  return [at, ...children.flatMap((child) => below(tree, child))]
}

function above(tree: readonly Node[], at: number): number[] {
  const node = tree[at]
  const parent = node ? parentOf(node, at) : null
  return parent === null ? [] : [parent, ...above(tree, parent)]
}

const tokensBelow = (tree: readonly Node[], at: number) =>
  below(tree, at).reduce((sum, index) => sum + (tree[index]?.own ?? 0), 0)

function rowsOf(tree: readonly Node[], isSpan: boolean, project_id: string): CallRow[] {
  const ids = tree.map(newId)
  const trace_id = `${newId()}${newId()}`
  return tree.map((node, index): CallRow => {
    const parent = parentOf(node, index)
    // Weave's clients add what is below to every call; of instrumentations some do, some say only their own.
    const tokens = isSpan && !node.says ? node.own : tokensBelow(tree, index)
    return {
      project_id,
      id: ids[index] ?? '',
      trace_id,
      parent_id: parent === null ? undefined : ids[parent],
      thread_id: node.thread ?? undefined,
      turn_id: node.isTurn ? ids[index] : undefined,
      is_span: isSpan || undefined,
      op_name: 'op',
      started_at: '2026-01-01T00:00:00Z',
      ended_at: '2026-01-01T00:00:01Z',
      summary: tokens > 0 ? { usage: { m: { requests: 1, input_tokens: tokens, output_tokens: 0 } } } : {},
    }
  })
}

/** Each turn of the thread with all below it, but not twice what lies below two of them. */
function weaveTokens(tree: readonly Node[], thread: string): number {
  const isOf = (index: number) => tree[index]?.thread === thread && tree[index].isTurn && tokensBelow(tree, index) > 0
  const top = tree.flatMap((_, index) => (isOf(index) && !above(tree, index).some(isOf) ? [index] : []))
  return top.reduce((sum, index) => sum + tokensBelow(tree, index), 0)
}

/** What the lowest spans with a usage say, in the thread of their own or of the nearest above. */
function spanTokens(tree: readonly Node[], thread: string): number {
  const said = (index: number) => (tree[index]?.says ? tokensBelow(tree, index) : (tree[index]?.own ?? 0))
  return tree.reduce((sum, _, index) => {
    const isLowest = below(tree, index).every((other) => other === index || said(other) === 0)
    const nearest = [index, ...above(tree, index)].find((other) => tree[other]?.thread)
    const isOf = nearest !== undefined && tree[nearest]?.thread === thread
    return isLowest && isOf ? sum + said(index) : sum
  }, 0)
}

test('every token of both families is counted once, whatever the trees, threads and order of arrival', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(nodes, nodes, fc.nat(100), async (weave, spans, turn) => {
      const project_id = `usage/run-${(run += 1)}`
      const rows = [...rowsOf(weave, false, project_id), ...rowsOf(spans, true, project_id)]
      const shift = turn % rows.length
      await writer.write([...rows.slice(shift), ...rows.slice(0, shift), ...rows.slice(0, 3)])
      const usage = await usageOf(project_id, threads)
      const found = usage.map(({ models }) => models['m']?.prompt_tokens ?? 0)
      expect(found).toEqual(threads.map((thread) => weaveTokens(weave, thread) + spanTokens(spans, thread)))
      for (const { models, total_cost } of usage) {
        if (models['m']) expect(total_cost).toEqual({ USD: Number(((models['m'].prompt_tokens * 25) / 1e7).toFixed(9)) })
      }
    }),
    { numRuns: 20 },
  )
}, 120_000)

const call = (id: string, more: Partial<CallRow>): CallRow => ({
  project_id: 'usage/p',
  id,
  trace_id: 'a'.repeat(32),
  op_name: 'op',
  started_at: '2026-01-01T00:00:00Z',
  ...more,
})
const used = (model: string, prompt: number, completion = 0) => ({
  usage: { [model]: { requests: 1, prompt_tokens: prompt, completion_tokens: completion } },
})

test('models, currencies and what has no price stand side by side; money is exact; a thread nobody knows used nothing', async () => {
  const turn = (id: string, said: object): CallRow => call(id, { thread_id: 'sums', turn_id: id, summary: said })
  await writer.write([
    turn('0000000000000001', used('m', 1, 1)),
    turn('0000000000000002', { usage: { ...used('m', 2).usage, ...used('n', 3).usage } }),
    turn('0000000000000003', used('unknown', 5)),
    turn('0000000000000004', used('half', 5, 1)),
    turn('0000000000000005', { usage: 'nonsense' }),
    turn('0000000000000006', { usage: { n: { total_tokens: 7 } } }),
  ])
  const [unknown, sums] = await usageOf('usage/p', ['nobody', 'sums'])
  expect(unknown).toEqual({ thread_id: 'nobody', models: {}, total_cost: {} })
  expect(sums?.total_cost).toEqual({ USD: 0.0000275, EUR: 0.3 })
  expect(sums?.models).toMatchObject({
    m: {
      requests: 2,
      prompt_tokens: 3,
      completion_tokens: 1,
      total_tokens: 4,
      total_cost: { USD: 0.0000175 },
      unpriced_call_count: 0,
    },
    n: { prompt_tokens: 3, total_tokens: 10, total_cost: { EUR: 0.3 }, unpriced_call_count: 1 },
    unknown: { prompt_tokens: 5, total_cost: {}, unpriced_call_count: 1 },
    half: { total_cost: { USD: 0.00001 }, unpriced_call_count: 1 },
  })
})

test('parents that name each other are no parents, and a long chain of spans is counted at its end', async () => {
  const id = (index: number) => `c${String(index).padStart(15, '0')}`
  const chain = Array.from({ length: 3000 }, (_, index) =>
    call(id(index), {
      trace_id: 'c'.repeat(32),
      parent_id: index === 0 ? undefined : id(index - 1),
      thread_id: index === 0 ? 'chain' : undefined,
      is_span: true,
      summary: used('m', 3),
    }),
  )
  const circle = [0, 1, 2].map((index) =>
    call(`d${id(index).slice(1)}`, {
      trace_id: 'd'.repeat(32),
      parent_id: `d${id((index + 1) % 3).slice(1)}`,
      thread_id: 'circle',
      is_span: true,
      summary: used('m', 1),
    }),
  )
  await writer.write([...chain, ...circle])
  const usage = await usageOf('usage/p', ['chain', 'circle'])
  expect(usage.map(({ models }) => models['m']?.prompt_tokens)).toEqual([3, 3])
})

test('another project’s calls of the same ids are not counted', async () => {
  const [usage] = await usageOf('usage/other', ['sums'])
  expect(usage?.models).toEqual({})
})
