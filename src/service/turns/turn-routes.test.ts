import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ThreadUsage } from '../../contract/thread-usage'
import type { Turn } from '../../contract/turns'
import { openTestApp, parseJsonLines, reviewer, type TestApp } from '../testing/test-app'

const project_id = 'acme/support'
let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  const price = { prompt_token_cost: 0.1, completion_token_cost: 0.2, effective_date: '2020-01-01' }
  await app.post('/cost/create', { project_id, costs: { m: price, n: { ...price, prompt_token_cost_unit: 'EUR' } } })
})
afterAll(() => app.close())

const toId = (number: number) => number.toString(16).padStart(16, '0')
const traceOf = (number: number) => number.toString(16).padStart(32, '0')

type TestCall = {
  id: number
  trace: number
  parent?: number
  thread?: string
  turn?: number
  start: string
  end?: string
  usage?: object
  more?: object
  ending?: object
}

async function send(calls: readonly TestCall[], project = project_id): Promise<void> {
  const batch = calls.flatMap(({ id, trace, parent, thread, turn, start, end, usage, more = {}, ending = {} }) => {
    const started = {
      project_id: project,
      id: toId(id),
      trace_id: traceOf(trace),
      op_name: 'weave:///acme/support/op/answer:v1',
      started_at: `2026-01-01T00:00:${start}Z`,
      attributes: {},
      inputs: {},
      ...(parent !== undefined && { parent_id: toId(parent) }),
      ...(thread !== undefined && { thread_id: thread }),
      ...(turn !== undefined && { turn_id: toId(turn) }),
      ...more,
    }
    const ended = {
      project_id: project,
      id: toId(id),
      ended_at: `2026-01-01T00:00:${end}Z`,
      summary: usage ? { usage } : {},
      ...ending,
    }
    return [{ mode: 'start', req: { start: started } }, ...(end === undefined ? [] : [{ mode: 'end', req: { end: ended } }])]
  })
  const response = await app.post('/call/upsert_batch', { batch })
  expect(await response.text()).not.toContain('error')
}

const tokens = (prompt_tokens: number, completion_tokens = 0) => ({ requests: 1, prompt_tokens, completion_tokens })

async function readTurns(thread_id: string, more: object = {}, project = project_id): Promise<Turn[]> {
  const response = await app.post('/threads/turns', { project_id: project, thread_id, ...more })
  const text = await response.text()
  expect([response.status, response.status === 200 ? '' : text]).toEqual([200, ''])
  return parseJsonLines(text) as Turn[] // the app validates its responses
}

test('the turns of a thread come by their start, each with what its calls spent', async () => {
  await send([
    { id: 0x10, trace: 1, thread: 'example', turn: 0x10, start: '20.5', end: '22', more: { inputs: { question: 'And when?' } } },
    {
      id: 0x11,
      trace: 2,
      thread: 'example',
      turn: 0x11,
      start: '01',
      end: '03.000001',
      usage: { m: tokens(30, 3), n: tokens(50) },
      more: { display_name: 'Answer', inputs: { messages: [{ role: 'user', content: 'Where is my order?' }] } },
    },
    // The SDK adds the usage of the calls below to the turn.
    { id: 0x12, trace: 2, parent: 0x11, thread: 'example', turn: 0x11, start: '02', end: '03', usage: { m: tokens(20, 3) } },
    { id: 0x13, trace: 2, parent: 0x12, start: '02', end: '03', ending: { exception: 'No such order' } },
    { id: 0x14, trace: 2, parent: 0x12, start: '02', end: '03', usage: { unknown: tokens(7) } },
  ])
  expect(await readTurns('example')).toEqual([
    {
      id: toId(0x11),
      trace_id: traceOf(2),
      name: 'Answer',
      first_words: 'Where is my order?',
      started_at: '2026-01-01T00:00:01Z',
      ended_at: '2026-01-01T00:00:03.000001Z',
      duration_ms: 2000.001,
      status: 'descendant_error',
      failure: { call_id: toId(0x13), call_name: 'answer', message: 'No such order' },
      call_count: 4,
      models: ['n', 'm', 'unknown'],
      prompt_tokens: 87,
      completion_tokens: 3,
      costs: [
        { currency: 'EUR', total: '5' },
        { currency: 'USD', total: '3.6' },
      ],
      unpriced_call_count: 1,
    },
    {
      id: toId(0x10),
      trace_id: traceOf(1),
      name: 'answer',
      first_words: 'And when?',
      started_at: '2026-01-01T00:00:20.500000Z',
      ended_at: '2026-01-01T00:00:22Z',
      duration_ms: 1500,
      status: 'success',
      call_count: 1,
      models: [],
      prompt_tokens: 0,
      completion_tokens: 0,
      costs: [],
      unpriced_call_count: 0,
    },
  ])
  const response = await app.post('/threads/usage', { project_id, thread_ids: ['example'] })
  const { usage } = (await response.json()) as { usage: ThreadUsage[] }
  expect(usage[0]?.total_cost).toEqual({ EUR: 5, USD: 3.6 })
})

test('a turn that runs has no duration; one that ends before it starts took no time; a failed one says so', async () => {
  await send([
    { id: 0x20, trace: 3, thread: 'states', turn: 0x20, start: '01' },
    { id: 0x21, trace: 3, parent: 0x20, start: '02', end: '03', usage: { m: tokens(10) } },
    { id: 0x22, trace: 4, thread: 'states', turn: 0x22, start: '05', end: '04', ending: { exception: 'Boom' } },
  ])
  const turns = await readTurns('states')
  expect(turns.map(({ duration_ms, status, prompt_tokens: prompt }) => [duration_ms, status, prompt])).toEqual([
    [null, 'running', 10],
    [0, 'error', 0],
  ])
})

test('a failed turn says why: its own exception, else the first call below it that failed by itself', async () => {
  const turn = (id: number, exception?: string): TestCall => {
    const start = String(id % 60).padStart(2, '0')
    return { id, trace: id, thread: 'why', turn: id, start, end: '59', ...(exception !== undefined && { ending: { exception } }) }
  }
  const below = (id: number, parent: number, trace: number, start: string, exception?: string): TestCall => ({
    id,
    trace,
    parent,
    start,
    end: '58',
    more: { display_name: `Call ${id.toString(16)}` },
    ...(exception !== undefined && { ending: { exception } }),
  })
  const frames = '  File "a.py", line 1, in f\n    f()\n'.repeat(5000)
  await send([
    turn(0x100, 'Boom\nat f'),
    below(0x101, 0x100, 0x100, '10', 'Below'),
    turn(0x102),
    // It failed because of the call below it, and started first.
    below(0x103, 0x102, 0x102, '20', 'Outer'),
    below(0x104, 0x103, 0x102, '40', 'Later'),
    below(0x105, 0x103, 0x102, '30', 'First'),
    below(0x106, 0x102, 0x102, '25'),
    turn(0x107, `Traceback (most recent call last):\n${frames}ValueError: é\n${'x'.repeat(9000)}`),
    turn(0x108, '🙂'.repeat(1_000_000)),
    turn(0x109, ' \n'),
    turn(0x10a),
  ])
  const failures = (await readTurns('why')).map(({ id, failure }) => [id, failure && [failure.call_id, failure.message]])
  expect(failures).toEqual([
    [toId(0x100), [toId(0x100), 'Boom']],
    [toId(0x102), [toId(0x105), 'First']],
    [toId(0x107), [toId(0x107), 'ValueError: é']],
    [toId(0x108), [toId(0x108), `${'🙂'.repeat(239)}…`]],
    [toId(0x109), [toId(0x109), null]],
    [toId(0x10a), undefined],
  ])
  const [, second] = await readTurns('why')
  expect(second?.failure?.call_name).toBe('Call 105')
})

test('of two exceptions of a call, the turn tells of the one that the call is read with', async () => {
  const trace = traceOf(0x110)
  const ids = { id: 0x110, trace: 0x110, thread: 'twice', turn: 0x110, start: '01', end: '02' }
  const tracebackOf = (message: string) => `Traceback (most recent call last):\n  File "a.py", line 1\n    f()\n${message}`
  await send([{ ...ids, ending: { exception: tracebackOf('B: this') } }])
  await send([{ ...ids, ending: { exception: tracebackOf('A: not this') } }])
  expect((await readTurns('twice')).map(({ failure }) => failure?.message)).toEqual(['B: this'])
  const response = await app.post('/calls/stream_query', { project_id, filter: { trace_ids: [trace] } })
  expect(await response.text()).toContain('B: this')
})

test('a turn inside another turn has its calls for itself, also where it is on another page', async () => {
  await send([
    { id: 0x30, trace: 5, thread: 'nested', turn: 0x30, start: '01', end: '09', usage: { m: tokens(9) } },
    { id: 0x31, trace: 5, parent: 0x30, thread: 'nested', turn: 0x31, start: '02', end: '05', usage: { m: tokens(5) } },
    { id: 0x32, trace: 5, parent: 0x31, start: '03', end: '04', usage: { m: tokens(2) } },
  ])
  const figures = (turns: readonly Turn[]) => turns.map(({ id, call_count, prompt_tokens: prompt }) => [id, call_count, prompt])
  const both = [
    [toId(0x30), 1, 4],
    [toId(0x31), 2, 5],
  ]
  expect(figures(await readTurns('nested'))).toEqual(both)
  expect(figures(await readTurns('nested', { limit: 1 }))).toEqual(both.slice(0, 1))
  expect(figures(await readTurns('nested', { limit: 5, offset: 1 }))).toEqual(both.slice(1))
  expect(await readTurns('nested', { limit: 0 })).toEqual([])
})

test('a thread without turns, or of another project, has none; a deleted turn is gone', async () => {
  expect(await readTurns('nobody')).toEqual([])
  expect(await readTurns('nested', {}, 'acme/other')).toEqual([])
  await send([{ id: 0x40, trace: 6, thread: 'deleted', turn: 0x40, start: '01', end: '02' }])
  expect(await readTurns('deleted')).toHaveLength(1)
  await app.post('/calls/delete', { project_id, call_ids: [toId(0x40)] })
  expect(await readTurns('deleted')).toEqual([])
})

test('a request that is wrong is told what would be right', async () => {
  const read = async (body: object, user?: typeof reviewer) => {
    const response = await app.post('/threads/turns', body, ...(user ? [user] : []))
    const { detail } = (await response.json()) as { detail: { loc: string[]; type: string }[] }
    return [response.status, ...detail.map(({ loc, type }) => `${loc.join('.')} ${type}`)]
  }
  expect(await read({ project_id })).toEqual([422, 'body.thread_id missing'])
  expect(await read({ project_id, thread_id: 7, sort_by: [] })).toEqual([
    422,
    'body.thread_id string_type',
    'body.sort_by extra_forbidden',
  ])
  expect(await read({ project_id, thread_id: 'x', limit: -1 })).toEqual([422, 'body.limit greater_than_equal'])
  expect((await read({ project_id: 'acme/other', thread_id: 'x' }, reviewer))[0]).toBe(403)
})
