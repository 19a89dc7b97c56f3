import * as fc from 'fast-check'
import { afterAll, beforeAll, expect } from 'vitest'
import { addDecimals, type Decimal, parsePlainDecimal, toNumber, zero } from '../../contract/decimal'
import type { Turn } from '../../contract/turns'
import { testProperty } from '../../testing/test-property'
import type { CallRow } from '../ingest/call-row'
import { SpendDeriver } from '../spend/spend-deriver'
import { CallWriterFixture } from '../testing/call-writer-fixture'
import { silentLogger } from '../testing/silent-logger'
import { insertTestPrices } from '../threads/testing/test-prices'
import { sumThreadUsage } from '../threads/sum-thread-usage'
import { referenceOwnUsage } from '../usage/testing/reference-own-usage'
import { parseUsage } from '../usage/usage'
import { listTurns } from './list-turns'

let fixture: CallWriterFixture
let spends: SpendDeriver
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
  await insertTestPrices(fixture.store)
  spends = new SpendDeriver({ store: fixture.store, deriver: fixture.deriver, logger: silentLogger })
})
afterAll(() => fixture.close())

const toId = (index: number) => `c${index.toString().padStart(15, '0')}`
const toInstant = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`

const calls = fc.array(
  fc.record({
    trace: fc.integer({ min: 1, max: 2 }),
    parent: fc.option(fc.nat(11)),
    thread: fc.option(fc.constantFrom('t', 'u'), { freq: 3 }),
    isTurn: fc.boolean(),
    isSpan: fc.boolean(),
    second: fc.nat(30),
    seconds: fc.option(fc.integer({ min: -5, max: 20 }), { freq: 5 }),
    hasFailed: fc.boolean(),
    usage: fc.dictionary(
      fc.constantFrom('m', 'n', 'half', 'unknown'),
      fc.record({ requests: fc.nat(2), prompt_tokens: fc.nat(900), completion_tokens: fc.nat(90) }),
      { maxKeys: 2 },
    ),
  }),
  { minLength: 1, maxLength: 12 },
)
type TestCall = Parameters<Parameters<typeof calls.map>[0]>[0][number]

const toParent = ({ parent }: TestCall, index: number) => (parent === null || parent === index ? null : toId(parent))

function toRow(projectId: string, call: TestCall, index: number): CallRow {
  const id = toId(index)
  return {
    project_id: projectId,
    id,
    trace_id: String(call.trace).repeat(32),
    parent_id: toParent(call, index) ?? undefined,
    thread_id: call.thread ?? undefined,
    turn_id: call.isTurn ? id : undefined,
    is_span: call.isSpan || undefined,
    op_name: 'op',
    started_at: toInstant(call.second),
    ended_at: call.seconds === null ? undefined : toInstant(Math.max(0, call.second + call.seconds)),
    exception: call.hasFailed ? 'boom' : undefined,
    inputs: { question: `Question ${index}` },
    summary: { usage: call.usage },
  }
}

type PlainCall = ReturnType<typeof toPlainCalls>[number]
function toPlainCalls(all: readonly TestCall[]) {
  return all.map((call, index) => ({
    id: toId(index),
    trace_id: String(call.trace).repeat(32),
    parent_id: toParent(call, index),
    thread_id: call.thread,
    is_turn: call.isTurn && call.thread !== null,
    user_id: null,
    is_span: call.isSpan,
    response_id: null,
    library: null,
    usage: parseUsage(call.usage),
  }))
}

/** The call and those above it, the nearest first. */
function pathOf(trace: readonly PlainCall[], call: PlainCall): PlainCall[] {
  const parentOf = (each: PlainCall) => trace.find(({ id }) => id === each.parent_id)
  const isInCircle = (each: PlainCall) => {
    let above = parentOf(each)
    for (let step = 0; above && step < trace.length; step += 1) {
      if (above.id === each.id) return true
      above = parentOf(above)
    }
    return false
  }
  const path = [call]
  for (let next: PlainCall | undefined = call; next && !isInCircle(next);) {
    next = parentOf(next)
    if (next) path.push(next)
  }
  return path
}

/** The tokens of each turn of a thread, and whether every call of the thread that spent any is below a turn. */
function referenceTurns(all: readonly PlainCall[], threadId: string) {
  const tokensByTurn = new Map(
    all.flatMap((call) => (call.is_turn && call.thread_id === threadId ? [[call.id, { prompt: 0, completion: 0 }]] : [])),
  )
  let isComplete = true
  for (const traceId of new Set(all.map(({ trace_id: id }) => id))) {
    const trace = all.filter(({ trace_id: id }) => id === traceId)
    for (const share of referenceOwnUsage(trace)) {
      if (share.threadId !== threadId) continue
      const own = trace.find(({ id }) => id === share.id)
      const turn = own && pathOf(trace, own).find(({ id }) => tokensByTurn.has(id))
      const tokens = turn && tokensByTurn.get(turn.id)
      if (!tokens) isComplete = false
      else {
        tokens.prompt += share.usage.prompt_tokens
        tokens.completion += share.usage.completion_tokens
      }
    }
  }
  return { tokensByTurn, isComplete }
}

let run = 0
testProperty(
  'the turns of a thread spent what the reference model says, and add up to the usage of the thread',
  fc.record({ all: calls, limit: fc.integer({ min: 1, max: 4 }) }),
  { runs: 30, timeoutMs: 300_000 },
  async ({ all, limit }) => {
    const projectId = `turns/p${(run += 1)}`
    await fixture.writer.write(all.map((call, index) => toRow(projectId, call, index)))
    await fixture.deriver.flush(projectId)
    await spends.flush(projectId)
    const plain = toPlainCalls(all)
    for (const threadId of ['t', 'u']) {
      const read = async (page: { limit: number | undefined; offset: number | undefined }) => {
        const turns: Turn[] = []
        for await (const part of listTurns(fixture.store, { project_id: projectId, thread_id: threadId, ...page }, {}))
          turns.push(...part)
        return turns
      }
      const turns = await read({ limit: undefined, offset: undefined })
      const { tokensByTurn, isComplete } = referenceTurns(plain, threadId)
      expect(Object.fromEntries(turns.map((turn) => [turn.id, [turn.prompt_tokens, turn.completion_tokens]]))).toEqual(
        Object.fromEntries([...tokensByTurn].map(([id, { prompt, completion }]) => [id, [prompt, completion]])),
      )
      expect(turns.map(({ started_at: at, id }) => `${at} ${id}`)).toEqual(
        turns.map(({ started_at: at, id }) => `${at} ${id}`).toSorted(),
      )
      const paged: Turn[] = []
      for (let offset = 0; offset < turns.length; offset += limit) paged.push(...(await read({ limit, offset })))
      expect(paged).toEqual(turns)

      const [usage] = await sumThreadUsage(fixture.store, projectId, [threadId], {})
      if (!usage || !isComplete) continue
      const costs = new Map<string, Decimal>()
      for (const { currency, total } of turns.flatMap((turn) => turn.costs)) {
        costs.set(currency, addDecimals(costs.get(currency) ?? zero, parsePlainDecimal(total)))
      }
      expect(Object.fromEntries([...costs].map(([currency, total]) => [currency, toNumber(total)]))).toEqual(usage.total_cost)
      expect(turns.reduce((sum, turn) => sum + turn.prompt_tokens, 0)).toBe(
        Object.values(usage.models).reduce((sum, model) => sum + model.prompt_tokens, 0),
      )
    }
  },
)
