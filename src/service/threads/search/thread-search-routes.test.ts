import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FoundThread } from '../../../contract/thread-search'
import { administrator, openTestApp, parseJsonLines, reviewer, type TestApp } from '../../testing/test-app'
import { insertTestPrices } from '../testing/test-prices'
import { findMatchingCalls } from './find-matching-calls'

const project_id = 'acme/support'
let service: TestApp
beforeAll(async () => {
  service = await openTestApp()
  await insertTestPrices(service.store)
  await write(
    call({
      id: 1,
      thread: 'order-1',
      minute: 1,
      inputs: { question: 'Where is my parcel?' },
      output: 'On its way.\nIt left Köln.',
    }),
    call({ id: 2, parent: 1, minute: 2, op: 'look_up', exception: 'TimeoutError: no reply', inputs: { order_id: 'A-17' } }),
    call({
      id: 3,
      thread: 'order-2',
      minute: 3,
      usage: { m: { prompt_tokens: 1000, completion_tokens: 10 } },
      output: 'ΟΔΟΣ 東京駅',
    }),
    call({ id: 4, thread: 'order-2', minute: 4, user: 'kim', usage: { n: { prompt_tokens: 5, completion_tokens: 0 } } }),
    call({
      id: 5,
      thread: 'chat',
      minute: 5,
      inputs: { question: 'Where is "Straße 7"?\\n' },
      usage: { other: { prompt_tokens: 7 } },
    }),
  )
})
afterAll(() => service.close())

type Seed = {
  id: number
  thread?: string
  parent?: number
  minute: number
  op?: string
  user?: string
  inputs?: object
  output?: unknown
  exception?: string
  usage?: object
}

const toId = (index: number) => String(index).padStart(16, '0')

/** A turn, or a call below one: it has no thread of its own. */
function call({ id, thread, parent, minute, op = 'answer', user, inputs = {}, output, exception, usage }: Seed): object[] {
  const start = {
    project_id,
    id: toId(id),
    trace_id: toId(parent ?? id).repeat(2),
    parent_id: parent === undefined ? undefined : toId(parent),
    ...(thread !== undefined && { thread_id: thread, turn_id: toId(id) }),
    op_name: op,
    started_at: `2026-01-01T00:0${minute}:00Z`,
    attributes: user === undefined ? {} : { user_id: user },
    inputs,
  }
  const end = {
    project_id,
    id: toId(id),
    ended_at: `2026-01-01T00:0${minute}:0${id % 10}Z`,
    output,
    exception,
    summary: { usage },
  }
  return [
    { mode: 'start', req: { start } },
    { mode: 'end', req: { end } },
  ]
}

async function write(...calls: object[][]): Promise<void> {
  const response = await service.post('/call/upsert_batch', { batch: calls.flat() })
  expect(await response.text()).not.toContain('error')
}

async function search(fields: object = {}) {
  const response = await service.post('/threads/search', { project_id, ...fields })
  const text = await response.text()
  expect([response.status, text]).toEqual([200, expect.any(String)])
  return parseJsonLines(text) as FoundThread[] // the app checks each by the contract
}
const find = async (filter: object, more: object = {}) => (await search({ filter, ...more })).map(({ thread_id: id }) => id)

test('a search gives the threads with the figures of all their calls', async () => {
  const [chat, second, first] = await search()
  expect(first).toEqual({
    thread_id: 'order-1',
    turn_count: 1,
    start_time: '2026-01-01T00:01:00Z',
    last_updated: '2026-01-01T00:01:01Z',
    first_turn_id: toId(1),
    last_turn_id: toId(1),
    p50_turn_duration_ms: 1000,
    p99_turn_duration_ms: 1000,
    error_count: 1,
    total_tokens: 0,
    costs: [],
    unpriced_call_count: 0,
    models: [],
  })
  expect(second).toMatchObject({
    thread_id: 'order-2',
    total_tokens: 1015,
    costs: [
      { currency: 'EUR', total: '0.5' },
      { currency: 'USD', total: '0.0026' },
    ],
    models: ['m', 'n'],
  })
  expect(chat).toMatchObject({ thread_id: 'chat', total_tokens: 7, costs: [], unpriced_call_count: 1, models: ['other'] })
})

test.each([
  ['parcel where', ['order-1']],
  ['WHERE is', ['chat', 'order-1']],
  // The words must be of one call.
  ['parcel order_id', []],
  ['order_id', ['order-1']],
  ['order', []],
  ['ord*', ['order-1']],
  ['par* is', ['order-1']],
  ['köln', ['order-1']],
  ['it left', ['order-1']],
  ['no reply TimeoutError A', ['order-1']],
  ['nit', []],
  ['οδος', ['order-2']],
  ['οδ*', ['order-2']],
  ['東京*', ['order-2']],
  ['STRASSE 7', ['chat']],
  ['nQuestion', []],
  ['zz*', []],
  ['?!', ['chat', 'order-2', 'order-1']],
  ['', ['chat', 'order-2', 'order-1']],
])('the text %j finds %j', async (text, expected) => {
  expect(await find({ text })).toEqual(expected)
})

test.each<[object, string[]]>([
  [{ has_errors: true }, ['order-1']],
  [{ has_errors: false }, ['chat', 'order-2']],
  [{ thread_id_prefix: 'order' }, ['order-2', 'order-1']],
  [{ thread_ids: ['chat', 'unknown'] }, ['chat']],
  [{ models: ['n', 'other'] }, ['chat', 'order-2']],
  [{ op_names: ['look_up'] }, ['order-1']],
  [{ users: ['kim'] }, ['order-2']],
  [{ min_turns: 2 }, ['order-2']],
  [{ min_p99_ms: 4000 }, ['chat']],
  [{ min_p50_ms: 3500 }, ['chat', 'order-2']],
  [{ min_cost: '0.0026' }, ['order-2']],
  [{ min_cost: '0.00260001' }, []],
  [{ after_datetime: '2026-01-01T00:03:00Z', models: ['m'] }, []],
  [{ after_datetime: '2026-01-01T00:01:30Z', has_errors: true }, []],
  [
    { before_datetime: '2026-01-01T00:02:00Z', has_errors: true, text: 'order_id', min_turns: 1, op_names: ['answer'] },
    ['order-1'],
  ],
  [{ models: [], text: null, op_names: [] }, ['chat', 'order-2', 'order-1']],
])('the filter %j finds %j', async (filter, expected) => {
  expect(await find(filter)).toEqual(expected)
})

test('threads are sorted by figures of their calls too, and cut into pages', async () => {
  const sorted = (field: string, direction = 'desc') => find({}, { sort_by: [{ field, direction }] })
  expect(await sorted('error_count')).toEqual(['order-1', 'chat', 'order-2'])
  expect(await sorted('total_tokens')).toEqual(['order-2', 'chat', 'order-1'])
  expect(await sorted('total_cost')).toEqual(['order-2', 'chat', 'order-1'])
  expect(await sorted('total_cost', 'asc')).toEqual(['order-2', 'chat', 'order-1'])
  expect(await find({}, { sort_by: [{ field: 'total_tokens', direction: 'asc' }], limit: 1, offset: 1 })).toEqual(['chat'])
  expect(await find({}, { limit: 1, offset: 1 })).toEqual(['order-2'])
  expect(await find({}, { limit: 0 })).toEqual([])
})

test('late parts, corrections, prices and deletions count in the next search', async () => {
  await write(call({ id: 8, thread: 'late', minute: 8, inputs: { question: 'aaa early' } }))
  expect(await find({ text: 'early' })).toEqual(['late'])
  await write(call({ id: 8, thread: 'late', minute: 8, inputs: { question: 'zzz corrected' }, output: 'done' }))
  expect([await find({ text: 'early' }), await find({ text: 'corrected done' })]).toEqual([[], ['late']])
  await write(
    call({ id: 9, parent: 8, minute: 9, exception: 'Boom', usage: { fresh: { prompt_tokens: 2, completion_tokens: 0 } } }),
  )
  expect(await search({ filter: { thread_ids: ['late'] } })).toMatchObject([{ error_count: 1, costs: [], models: ['fresh'] }])
  await service.post('/cost/create', { project_id, costs: { fresh: { prompt_token_cost: 3, completion_token_cost: 0 } } })
  expect(await find({ min_cost: '6' })).toEqual(['late'])
  await service.post('/calls/delete', { project_id, call_ids: [toId(9)] })
  expect(await search({ filter: { thread_ids: ['late'] } })).toMatchObject([{ error_count: 0, models: [] }])
  await service.post('/calls/delete', { project_id, call_ids: [toId(8)] })
  expect(await find({ text: 'corrected' })).toEqual([])
})

test.each([
  [{ filter: { text: 'x'.repeat(1001) } }, 'body.filter.text string_too_long'],
  [{ filter: { min_turns: 1.5 } }, 'body.filter.min_turns int_from_float'],
  [{ filter: { min_p99_ms: -1 } }, 'body.filter.min_p99_ms greater_than_equal'],
  [{ filter: { min_cost: '1e3' } }, 'body.filter.min_cost value_error'],
  [{ filter: { min_cost: 3 } }, 'body.filter.min_cost string_type'],
  [{ filter: { has_error: true } }, 'body.filter.has_error extra_forbidden'],
  [{ sort_by: [{ field: 'cost', direction: 'asc' }] }, 'body.sort_by.0.field literal_error'],
])('%j is refused as %s', async (fields, expected) => {
  const response = await service.post('/threads/search', { project_id, ...fields })
  expect(response.status).toBe(422)
  const { detail } = (await response.json()) as { detail: { loc: string[]; type: string }[] }
  expect(detail.map(({ loc, type }) => `${loc.join('.')} ${type}`)).toEqual([expected])
})

test('another project finds nothing of it, and a user without access is refused', async () => {
  const other = await service.post('/threads/search', { project_id: 'acme/other', filter: { text: 'parcel' } })
  expect(await other.text()).toBe('')
  expect((await service.post('/threads/search', { project_id: 'acme/other' }, reviewer)).status).toBe(403)
  expect((await service.post('/threads/search', { project_id }, { ...administrator, password: 'wrong' })).status).toBe(401)
})

test('what is typed in a filter is completed by values of the project, those that begin with it first', async () => {
  const usage = { 'zeta-1': { prompt_tokens: 1 }, 'my-zeta': { prompt_tokens: 1 } }
  await write(
    call({ id: 901, thread: 'suggested', minute: 1, op: 'zeta_op', user: 'Zeta', usage }),
    call({ id: 902, parent: 901, minute: 2, op: 'weave:///acme/support/op/zeta:v1' }),
  )
  // Values are there once the calls are derived.
  await search({})
  const suggest = async (field: string, more: object = {}, project = project_id) => {
    const response = await service.post('/threads/filter_values', { project_id: project, field, ...more })
    expect(response.status).toBe(200)
    return ((await response.json()) as { values: string[] }).values
  }
  expect(await suggest('op_name', { text: 'ZETA' })).toEqual(['zeta_op', 'weave:///acme/support/op/zeta:v1'])
  expect(await suggest('user', { text: 'zE' })).toEqual(['Zeta'])
  expect(await suggest('model', { text: 'zeta' })).toEqual(['zeta-1', 'my-zeta'])
  expect(await suggest('model', { text: 'zeta', limit: 1 })).toEqual(['zeta-1'])
  expect(await suggest('model')).toContain('my-zeta')
  expect(await suggest('model', { text: 'zeta%' })).toEqual([])
  expect(await suggest('model', {}, 'acme/other')).toEqual([])
  const refused = await service.post('/threads/filter_values', { project_id, field: 'words' })
  expect(refused.status).toBe(422)
  expect((await service.post('/threads/filter_values', { project_id: 'acme/other', field: 'user' }, reviewer)).status).toBe(403)
})

test('threads are found by what people answered for any of their calls: the last answer of each person', async () => {
  const answer = async (
    id: number,
    scorer: string,
    value: unknown,
    user = administrator as typeof administrator | typeof reviewer,
  ) => {
    const type = Array.isArray(value) ? 'array' : typeof value
    const obj = { project_id, object_id: scorer, val: { field_schema: { type } }, builtin_object_class: 'AnnotationSpec' }
    const { digest } = (await (await service.post('/obj/create', { obj })).json()) as { digest: string }
    const response = await service.post(
      '/feedback/create',
      {
        project_id,
        weave_ref: `weave:///${project_id}/call/${toId(id)}`,
        feedback_type: `wandb.annotation.${scorer}`,
        annotation_ref: `weave:///${project_id}/object/${scorer}:${digest}`,
        payload: { value },
      },
      user,
    )
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
  }
  const findNamed = (filter: object) => find({ thread_ids: ['chat', 'order-1', 'order-2'], ...filter })
  expect(await findNamed({ is_judged: false })).toEqual(['chat', 'order-2', 'order-1'])
  await answer(2, 'good', true)
  await answer(3, 'good', true)
  await answer(3, 'good', false)
  await answer(3, 'stars', 4)
  await answer(4, 'tone', 'kind "é"')
  await answer(4, 'tone', 'rude', reviewer)
  expect(await findNamed({ is_judged: true })).toEqual(['order-2', 'order-1'])
  expect(await findNamed({ is_judged: false })).toEqual(['chat'])
  expect(await findNamed({ answers: [{ scorer: 'good' }] })).toEqual(['order-2', 'order-1'])
  expect(await findNamed({ answers: [{ scorer: 'good', value: true }] })).toEqual(['order-1'])
  expect(
    await findNamed({
      answers: [
        { scorer: 'good', value: false },
        { scorer: 'stars', value: 4.0 },
      ],
    }),
  ).toEqual(['order-2'])
  expect(
    await findNamed({
      answers: [
        { scorer: 'tone', value: 'kind "é"' },
        { scorer: 'tone', value: 'rude' },
      ],
    }),
  ).toEqual(['order-2'])
  expect(await findNamed({ answers: [{ scorer: 'stars', value: '4' }] })).toEqual([])
  // As pages show them.
  expect(await findNamed({ answers: [{ scorer: 'good', value: 'yes' }] })).toEqual(['order-1'])
  expect(await findNamed({ answers: [{ scorer: 'good', value: 'No' }] })).toEqual(['order-2'])
  await answer(4, 'topics', ['refund', 'late'])
  expect(await findNamed({ answers: [{ scorer: 'topics', value: 'late' }] })).toEqual(['order-2'])
  expect(await findNamed({ answers: [{ scorer: 'topics', value: 'ref' }] })).toEqual([])
  // Names that every object of JavaScript has.
  for (const value of ['constructor', '__proto__']) {
    expect(await findNamed({ answers: [{ scorer: 'topics', value }] })).toEqual([])
  }
  expect(await findNamed({ answers: [{ scorer: 'stars', value: 4 }], before_datetime: '2026-01-01T00:02:30Z' })).toEqual([])
  const shape = await service.post('/threads/shape', { project_id, filter: { is_judged: true } })
  expect(await shape.json()).toMatchObject({ thread_count: 2 })
})

test.each([
  [{ is_judged: 'yes' }],
  [{ answers: [{ value: 1 }] }],
  [{ answers: [{ scorer: 'x', value: [] }] }],
  [{ answers: [{ scorer: 'x', by: 1 }] }],
])('a filter %j is refused', async (filter) => {
  expect((await service.post('/threads/search', { project_id, filter })).status).toBe(422)
})

test('the calls for which a thread is found are those that meet the most filters on calls', async () => {
  const match = async (thread_id: string, filter: object) => {
    const response = await service.post('/threads/matching_calls', { project_id, thread_id, filter })
    expect(response.status).toBe(200)
    return await response.json()
  }
  // Of these calls only the second is below a turn.
  const names = (...indexes: number[]) => ({
    calls: indexes.map((index) => ({ id: toId(index), turn_id: toId(index === 2 ? 1 : index) })),
    count: indexes.length,
    filters: 1,
    filters_met: indexes.length > 0 ? 1 : 0,
  })
  expect(await match('order-1', { text: 'PARCEL' })).toEqual(names(1))
  // A call below a turn is of the turn's thread.
  expect(await match('order-1', { has_errors: true })).toEqual(names(2))
  // Both hold for one call, and one of them for another.
  expect(await match('order-1', { text: 'timeouterror', op_names: ['look_up', 'answer'] })).toEqual({
    ...names(2),
    filters: 2,
    filters_met: 2,
  })
  // Neither call meets both.
  expect(await match('order-1', { text: 'parcel', has_errors: true })).toEqual({ ...names(1, 2), filters: 2 })
  expect(await match('order-2', { op_names: ['answer'] })).toEqual(names(3, 4))
  expect(await match('order-2', { models: ['n'] })).toEqual(names(4))
  expect(await match('order-2', { op_names: ['answer'], after_datetime: '2026-01-01T00:03:00Z' })).toEqual(names(4))
  for (const filter of [{}, { has_errors: false }, { min_turns: 1 }])
    expect(await match('order-2', filter)).toEqual({ ...names(), filters: 0 })
  expect(await match('order-2', { text: 'nothing' })).toEqual(names())
  expect(await match('no-such', { text: 'parcel' })).toEqual(names())
  const elsewhere = { project_id: 'acme/other', thread_id: 'order-1', filter: { text: 'parcel' } }
  expect(await (await service.post('/threads/matching_calls', elsewhere)).json()).toEqual(names())
  const misspelled = await service.post('/threads/matching_calls', {
    project_id,
    thread_id: 'order-1',
    filter: { words: 'parcel' },
  })
  expect([misspelled.status, await misspelled.text()]).toEqual([422, expect.stringContaining("'words' is not a field")])
})

test('of the calls that match, as many of the first are named as have small enough traces', async () => {
  const match = async (maxTraceCalls: number) => {
    const request = { project_id, thread_id: 'order-2', filter: { op_names: ['answer'] } }
    const { calls, count } = await findMatchingCalls(service.store, request, {}, maxTraceCalls)
    return [calls.map(({ id }) => id), count]
  }
  expect(await match(100)).toEqual([[toId(3), toId(4)], 2])
  // However large it is, the first trace is read.
  expect(await match(0)).toEqual([[toId(3)], 2])
})
