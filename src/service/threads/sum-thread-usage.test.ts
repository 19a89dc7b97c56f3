import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertTestPrices } from './testing/test-prices'
import type { CallRow } from '../ingest/call-row'
import { sumThreadUsage } from './sum-thread-usage'
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

test('calls of another project with the same ids are not counted', async () => {
  const [usage] = await sumUsage('usage/other', ['sums'])
  expect(usage?.models).toEqual({})
})
