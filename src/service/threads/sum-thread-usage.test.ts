import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertTestPrices } from './testing/test-prices'
import type { CallRow } from '../ingest/call-row'
import { sumThreadUsage } from './sum-thread-usage'
import { SpendDeriver } from '../spend/spend-deriver'
import { type SpentRow, toUsageFields } from '../spend/spent-row'
import { CallWriterFixture } from '../testing/call-writer-fixture'
import { silentLogger } from '../testing/silent-logger'
import { parseUsage } from '../usage/usage'

let fixture: CallWriterFixture
let spends: SpendDeriver
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
  spends = new SpendDeriver({ store: fixture.store, deriver: fixture.deriver, logger: silentLogger })
  await insertTestPrices(fixture.store)
})
afterAll(() => fixture.close())

async function sumUsage(projectId: string, threadIds: readonly string[]) {
  await spends.flush(projectId)
  return sumThreadUsage(fixture.store, projectId, threadIds, {})
}

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

test('the usage of a thread is the sum over its turns, with its cost', async () => {
  await fixture.writer.write([
    call('000000000000000a', { thread_id: 'example', turn_id: '000000000000000a', summary: used('m', 1000, 10) }),
    call('000000000000000b', { thread_id: 'example', turn_id: '000000000000000b', summary: used('m', 3000, 30) }),
  ])
  const [usage] = await sumUsage('usage/p', ['example'])
  expect(usage).toMatchObject({
    models: { m: { requests: 2, prompt_tokens: 4000, completion_tokens: 40, total_tokens: 4040 } },
    total_cost: { USD: 0.0104 },
  })
})

test('each model has its usage, each currency its exact sum; calls without a price are counted; an unknown thread used nothing', async () => {
  const turn = (id: string, summary: object): CallRow => call(id, { thread_id: 'sums', turn_id: id, summary })
  await fixture.writer.write([
    turn('0000000000000001', used('m', 1, 1)),
    turn('0000000000000002', { usage: { ...used('m', 2).usage, ...used('n', 3).usage } }),
    turn('0000000000000003', used('unknown', 5)),
    turn('0000000000000004', used('half', 5, 1)),
    turn('0000000000000005', { usage: 'nonsense' }),
    turn('0000000000000006', { usage: { n: { total_tokens: 7 } } }),
  ])
  const [unknown, sums] = await sumUsage('usage/p', ['nobody', 'sums'])
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

test('parents in a circle are ignored, and a long chain of spans is counted at its end', async () => {
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
  await fixture.writer.write([...chain, ...circle])
  const usage = await sumUsage('usage/p', ['chain', 'circle'])
  expect(usage.map(({ models }) => models['m']?.prompt_tokens)).toEqual([3, 3])
})

test('a response that two libraries report side by side is counted and charged once', async () => {
  const turn = call('9000000000000000', { trace_id: '9'.repeat(32), thread_id: 'twice', turn_id: '9000000000000000' })
  const report = (id: string, library: string) =>
    call(id, {
      trace_id: turn.trace_id,
      parent_id: turn.id,
      is_span: true,
      attributes: { response_id: 'msg_1', otel_span: { scope: { name: library } } },
      summary: used('m', 1000, 10),
    })
  await fixture.writer.write([turn, report('9000000000000001', 'traceloop'), report('9000000000000002', 'anthropic')])
  const [usage] = await sumUsage('usage/p', ['twice'])
  expect(usage).toMatchObject({ models: { m: { requests: 1, prompt_tokens: 1000 } }, total_cost: { USD: 0.0026 } })
})

test('a response that two traces report is charged in each: nothing says that they are about one request', async () => {
  const report = (id: string, library: string) =>
    call(id, {
      trace_id: id.repeat(2),
      thread_id: 'two traces',
      is_span: true,
      attributes: { response_id: 'chatcmpl-1', otel_span: { scope: { name: library } } },
      summary: used('m', 1000, 10),
    })
  await fixture.writer.write([report('9100000000000001', 'app'), report('9100000000000002', 'proxy')])
  const [usage] = await sumUsage('usage/p', ['two traces'])
  expect(usage).toMatchObject({ models: { m: { requests: 2, prompt_tokens: 2000 } }, total_cost: { USD: 0.0052 } })
})

test('what calls spent is taken from where it is derived: no call is read', async () => {
  const row: SpentRow = {
    project_id: 'usage/derived',
    started_at: '2026-01-01 00:00:00',
    turn_started_at: '2026-01-01 00:00:00',
    id: '0000000000000001',
    is_spent: 1,
    op_name: 'op',
    user_id: '',
    thread_id: 'derived',
    provider: '',
    version: '1',
    ...toUsageFields(parseUsage(used('m', 1000, 10).usage)),
  }
  const ofNoThread = { ...row, id: '0000000000000002', thread_id: '' }
  await fixture.store.insert('spent_calls', [row, ofNoThread])
  expect(await sumUsage('usage/derived', ['derived', ''])).toMatchObject([
    { models: { m: { prompt_tokens: 1000 } }, total_cost: { USD: 0.0026 } },
    { models: {} },
  ])
})

test('a turn that still runs counts by its calls, which may have no thread of their own, and spent each only what they did', async () => {
  const inTrace = { trace_id: 'e'.repeat(32) }
  const turn = call('e000000000000000', { ...inTrace, thread_id: 'running', turn_id: 'e000000000000000' })
  const tool = call('e000000000000001', { ...inTrace, parent_id: turn.id })
  const model = call('e000000000000002', { ...inTrace, parent_id: tool.id, summary: used('m', 70, 10) })
  const promptTokens = async () => (await sumUsage('usage/p', ['running']))[0]?.models['m']?.prompt_tokens
  await fixture.writer.write([turn, tool, model])
  expect(await promptTokens()).toBe(70)
  const end = (id: string): CallRow => ({ project_id: 'usage/p', id, summary: used('m', 100, 10) })
  await fixture.writer.write([end(tool.id), end(turn.id), model])
  expect(await promptTokens()).toBe(100)
})

test('a call whose parts name two traces counts in the one that is known as its trace', async () => {
  const turn = call('f000000000000000', { trace_id: '1'.repeat(32), thread_id: 'moved', turn_id: 'f000000000000000' })
  await fixture.writer.write([
    turn,
    { ...turn, trace_id: '2'.repeat(32), thread_id: undefined, summary: used('m', 100) },
    call('f000000000000001', { trace_id: '2'.repeat(32), parent_id: turn.id, summary: used('m', 60) }),
  ])
  const [usage] = await sumUsage('usage/p', ['moved'])
  expect(usage?.models['m']?.prompt_tokens).toBe(100)
})

test('cached tokens of Anthropic, which are beside its input tokens, are counted and charged', async () => {
  const usage = { requests: 1, input_tokens: 20, output_tokens: 5, cache_read_input_tokens: 80, cache_creation_input_tokens: 10 }
  await fixture.writer.write([
    call('ab00000000000000', {
      trace_id: '3'.repeat(32),
      thread_id: 'cached',
      turn_id: 'ab00000000000000',
      summary: { usage: { m: usage } },
    }),
  ])
  const [cached] = await sumUsage('usage/p', ['cached'])
  expect(cached?.models['m']).toMatchObject({ prompt_tokens: 110, total_tokens: 115, cache_read_input_tokens: 80 })
  expect(cached?.total_cost).toEqual({ USD: 0.000325 }) // the test's price has none for cached tokens
})

test('calls of another project with the same ids are not counted', async () => {
  const [usage] = await sumUsage('usage/other', ['sums'])
  expect(usage?.models).toEqual({})
})
