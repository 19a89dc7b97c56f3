import * as fc from 'fast-check'
import { afterAll, beforeAll, expect } from 'vitest'
import { insertTestPrices } from './testing/test-prices'
import type { CallRow } from '../ingest/call-row'
import { sumThreadUsage } from './sum-thread-usage'
import { testProperty } from '../../testing/test-property'
import { CallWriterFixture } from '../testing/call-writer-fixture'

let fixture: CallWriterFixture
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
  await insertTestPrices(fixture.store)
})
afterAll(() => fixture.close())

async function sumUsage(projectId: string, threadIds: readonly string[]) {
  await fixture.deriver.flush(projectId)
  return sumThreadUsage(fixture.store, projectId, threadIds, {})
}

/** A call as its client sees it: the tokens of the call itself, and whether it reports the tokens of the calls below too. */
type Node = { parent: number | null; thread: string | null; isTurn: boolean; own: number; addsBelow: boolean }

const threads = ['t', 'u']
const nodes = fc.array(
  fc.record({
    parent: fc.option(fc.nat(20), { freq: 4 }),
    thread: fc.option(fc.constantFrom(...threads)),
    isTurn: fc.boolean(),
    own: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1000 })),
    addsBelow: fc.boolean(),
  }),
  { minLength: 1, maxLength: 10 },
)

let next = 0
const newId = () => (next += 1).toString(16).padStart(16, '0')

/** The index of the parent. Parents come before their children, so all nodes together are a forest. */
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

function toRows(tree: readonly Node[], isSpan: boolean, project_id: string): CallRow[] {
  const ids = tree.map(newId)
  const trace_id = `${newId()}${newId()}`
  return tree.map((node, index): CallRow => {
    const parent = parentOf(node, index)
    // W&B Weave's clients add the tokens below to every call. Some instrumentations do, others report only their own.
    const tokens = isSpan && !node.addsBelow ? node.own : tokensBelow(tree, index)
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

/** Each turn of the thread with all calls below it; a call below two turns counts once. */
function weaveTokens(tree: readonly Node[], thread: string): number {
  const isOf = (index: number) => tree[index]?.thread === thread && tree[index].isTurn && tokensBelow(tree, index) > 0
  const top = tree.flatMap((_, index) => (isOf(index) && !above(tree, index).some(isOf) ? [index] : []))
  return top.reduce((sum, index) => sum + tokensBelow(tree, index), 0)
}

/** The tokens of the lowest spans with a usage, in their own thread or that of the nearest span above. */
function spanTokens(tree: readonly Node[], thread: string): number {
  const reported = (index: number) => (tree[index]?.addsBelow ? tokensBelow(tree, index) : (tree[index]?.own ?? 0))
  return tree.reduce((sum, _, index) => {
    const isLowest = below(tree, index).every((other) => other === index || reported(other) === 0)
    const nearest = [index, ...above(tree, index)].find((other) => tree[other]?.thread)
    const isOf = nearest !== undefined && tree[nearest]?.thread === thread
    return isLowest && isOf ? sum + reported(index) : sum
  }, 0)
}

let run = 0
testProperty(
  'every token of calls and of spans is counted once, whatever the trees, the threads and the order of arrival',
  fc.tuple(nodes, nodes, fc.nat(100)),
  { runs: 20, timeoutMs: 180_000 },
  async ([weave, spans, turn]) => {
    const project_id = `usage/run-${(run += 1)}`
    const rows = [...toRows(weave, false, project_id), ...toRows(spans, true, project_id)]
    const shift = turn % rows.length
    // Three parts arrive twice.
    await fixture.writer.write([...rows.slice(shift), ...rows.slice(0, shift), ...rows.slice(0, 3)])
    const usage = await sumUsage(project_id, threads)
    const tokens = usage.map(({ models }) => models['m']?.prompt_tokens ?? 0)
    expect(tokens).toEqual(threads.map((thread) => weaveTokens(weave, thread) + spanTokens(spans, thread)))
    for (const { models, total_cost } of usage) {
      if (models['m']) expect(total_cost).toEqual({ USD: Number(((models['m'].prompt_tokens * 25) / 1e7).toFixed(9)) })
    }
  },
)
