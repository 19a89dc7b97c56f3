import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Operation } from '../../contract/expression'
import type { Call } from '../../contract/calls'
import { toStoredCost } from '../pricing/stored-cost'
import { parseJsonLines, openTestApp, reviewer, type TestApp } from '../testing/test-app'

const project_id = 'acme/support'
const id = (index: number) => String(index).padStart(16, '0')
const trace = (digit: string) => digit.repeat(32)

let service: TestApp
const start = (index: number, more: object = {}) => ({
  mode: 'start',
  req: {
    start: {
      project_id,
      id: id(index),
      trace_id: trace('a'),
      op_name: 'weave:///acme/support/op/answer:v1',
      started_at: `2026-01-01T00:00:0${index}Z`,
      attributes: {},
      inputs: {},
      ...more,
    },
  },
})
const end = (index: number, more: object = {}) => ({
  mode: 'end',
  req: { end: { project_id, id: id(index), ended_at: `2026-01-01T00:00:0${index}.250001Z`, summary: {}, ...more } },
})

beforeAll(async () => {
  service = await openTestApp()
  const batch = [
    start(1, {
      thread_id: 'é',
      turn_id: id(1),
      inputs: {
        question: 'Why?',
        n: 25,
        list: [{ text: 'first' }, 2],
        refs: ['weave:///acme/support/object/data:abc'],
        flag: true,
        none: null,
      },
      attributes: { 'a.b': 'dotted', 'weave:///acme/support/object/key:abc': 1 },
    }),
    end(1, {
      output: 'plain text',
      summary: {
        usage: { 'model.1': { requests: 1, input_tokens: 1000, output_tokens: 10, cache_read_input_tokens: 400 } },
        weave: { status: 'mine', more: 1 },
      },
    }),
    start(2, { parent_id: id(1), display_name: 'Look up', inputs: { n: 3, question: 'How?' } }),
    end(2, { exception: 'It broke', output: { at: '2026-02-01T00:00:00Z' } }),
    start(3, { trace_id: trace('b'), op_name: 'other', inputs: { n: 'x' } }),
    end(3, { summary: { status_counts: { error: 2 } }, output: [1, 2] }),
    start(4, { trace_id: trace('b'), op_name: 'weave:///acme/support/op/answer:v2', inputs: { '0': 'zero' } }),
    end(5),
  ]
  const stored = await service.post('/call/upsert_batch', { batch })
  expect(stored.status).toBe(200)
  const elsewhere = { ...start(1).req, start: { ...start(1).req.start, project_id: 'acme/other', op_name: 'elsewhere' } }
  await service.post('/call/start', elsewhere)
  const price = (project: string, provider_id: string, prompt: number, cached: number | null, effectiveDate: string) =>
    toStoredCost(
      {
        project_id: project,
        id: `${provider_id}-${effectiveDate}`,
        llm_id: 'model.1',
        provider_id,
        prompt_token_cost: prompt,
        completion_token_cost: 0.00001,
        cache_read_input_token_cost: cached,
        prompt_token_cost_unit: 'USD',
        completion_token_cost_unit: 'USD',
        effectiveDate,
        created_by: '',
      },
      0,
    )
  await service.store.insert('costs', [
    price('', 'azure', 9, null, '2025-01-01T00:00:00Z'),
    price('', 'openai', 0.0000025, 0.00000125, '2025-01-01T00:00:00Z'),
    price(project_id, 'later', 7, null, '2027-01-01T00:00:00Z'),
    price('acme/other', 'not ours', 8, null, '2025-06-01T00:00:00Z'),
  ])
})
afterAll(() => service.close())

async function query(body: object): Promise<Call[]> {
  const response = await service.post('/calls/stream_query', { project_id, ...body })
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return parseJsonLines(text) as Call[] // openTestApp() has parsed every line with the contract
}

async function findIds(body: object): Promise<number[]> {
  const found = (await query(body)).map((call) => Number(call.id))
  const stats = await service.post('/calls/query_stats', { project_id, ...body })
  expect(await stats.json()).toEqual({ count: found.length })
  return found
}

test('a call is read with all its fields, named as W&B Weave names them', async () => {
  const [call] = await query({ filter: { call_ids: [id(1)] } })
  expect(call).toEqual({
    id: id(1),
    project_id,
    op_name: 'weave:///acme/support/op/answer:v1',
    display_name: null,
    trace_id: trace('a'),
    parent_id: null,
    thread_id: 'é',
    turn_id: id(1),
    started_at: '2026-01-01T00:00:01Z',
    ended_at: '2026-01-01T00:00:01.250001Z',
    exception: null,
    attributes: { 'a.b': 'dotted', 'weave:///acme/support/object/key:abc': 1 },
    inputs: expect.objectContaining({ question: 'Why?' }),
    output: 'plain text',
    summary: {
      usage: { 'model.1': { requests: 1, input_tokens: 1000, output_tokens: 10, cache_read_input_tokens: 400 } },
      weave: { more: 1, status: 'success', latency_ms: 250.001, trace_name: 'answer' },
    },
    wb_user_id: 'admin',
    deleted_at: null,
  })
})

test.each<[string, object, number[]]>([
  ['nothing: all started calls, the oldest first', {}, [1, 2, 3, 4]],
  ['op names', { op_names: ['other', 'nothing'] }, [3]],
  ['every version of an op', { op_names: ['weave:///acme/support/op/answer:*'] }, [1, 2, 4]],
  ['parents', { parent_ids: [id(1)] }, [2]],
  ['traces', { trace_ids: [trace('b')] }, [3, 4]],
  ['ids, known or not', { call_ids: [id(4), id(9), id(2)] }, [2, 4]],
  ['the id of a call without a start', { call_ids: [id(5)] }, []],
  ['threads', { thread_ids: ['é', 'e'] }, [1]],
  ['turns', { turn_ids: [id(1)] }, [1]],
  ['roots', { trace_roots_only: true }, [1, 3, 4]],
  ['trace_roots_only: false, which filters nothing', { trace_roots_only: false }, [1, 2, 3, 4]],
  ['users', { wb_user_ids: ['admin'] }, [1, 2, 3, 4]],
  ['other users', { wb_user_ids: ['somebody'] }, []],
  ['references in inputs', { input_refs: ['weave:///acme/support/object/data:abc'] }, [1]],
  ['a prefix of a reference', { input_refs: ['weave:///acme/support/object/data:ab'] }, []],
  ['references in outputs', { output_refs: ['weave:///acme/support/object/data:abc'] }, []],
  ['two conditions, which both apply', { trace_ids: [trace('a')], trace_roots_only: true }, [1]],
  ['empty lists, which filter nothing', { op_names: [], call_ids: [], thread_ids: [] }, [1, 2, 3, 4]],
])('filters by %s', async (_, filter, found) => {
  expect(await findIds({ filter })).toEqual(found)
})

const field = (name: string) => ({ $getField: name })
const literal = (value: string | number | boolean | null) => ({ $literal: value })
const manyTexts = Array.from({ length: 900 }, (_, index) => literal(index === 0 ? 'first' : `text ${index}`))

test.each<[string, Operation, number[]]>([
  ['a text', { $eq: [field('inputs.question'), literal('Why?')] }, [1]],
  ['a number, not a number as text', { $gt: [field('inputs.n'), literal(2)] }, [1, 2]],
  ['a text where other calls have numbers', { $eq: [field('inputs.n'), literal('x')] }, [3]],
  ['true', { $eq: [field('inputs.flag'), literal(true)] }, [1]],
  ['null and missing values alike', { $eq: [field('inputs.none'), literal(null)] }, [1, 2, 3, 4]],
  ['values that exist', { $eq: [{ $convert: { input: field('inputs.question'), to: 'exists' } }, literal(true)] }, [1, 2]],
  ['a position in a list', { $eq: [field('inputs.list.0.text'), literal('first')] }, [1]],
  ['a position by its digits among hundreds of values', { $in: [field('inputs.list.0.text'), manyTexts] }, [1]],
  ['a path of sixteen positions', { $in: [field(`inputs${'.1'.repeat(16)}`), manyTexts] }, []],
  ['a key in a list', { $eq: [{ $convert: { input: field('inputs.list.text.0'), to: 'exists' } }, literal(true)] }, []],
  ['a key of digits in an object', { $eq: [field('inputs.0'), literal('zero')] }, [4]],
  ['a key with a dot', { $eq: [field('attributes.a\\.b'), literal('dotted')] }, [1]],
  [
    'an output that is text itself',
    { $contains: { input: field('output'), substr: literal('PLAIN'), case_insensitive: true } },
    [1],
  ],
  ['text within a list or an object', { $contains: { input: field('inputs.list'), substr: literal('{"text":"fir') } }, [1]],
  ['text in all inputs', { $contains: { input: field('inputs'), substr: literal('"How?"') } }, [2]],
  ['text in the digits of a number', { $contains: { input: field('inputs.n'), substr: literal('5') } }, [1]],
  ['numbers that are compared with a number as text', { $gt: [literal('3'), field('inputs.n')] }, []],
  ['the same the other way round, and text by its bytes', { $gt: [field('inputs.n'), literal('3')] }, [1, 3]],
  ['a number that equals text', { $in: [field('inputs.n'), [literal('25.0'), literal('nothing')]] }, [1]],
  ['a number beside text that is none', { $lt: [field('inputs.n'), literal('a')] }, [1, 2]],
  ['numbers of two fields', { $gt: [field('summary.usage.model\\.1.input_tokens'), field('inputs.n')] }, [1]],
  ['an object as its text', { $eq: [field('output'), literal('[1,2]')] }, [3]],
  ['a time in JSON', { $lt: [field('output.at'), field('ended_at')] }, []],
  ['a time in JSON compared with a field', { $gt: [field('output.at'), field('started_at')] }, [2]],
  ['usage of a model with a dot', { $gte: [field('summary.usage.model\\.1.input_tokens'), literal(1000)] }, [1]],
  ['one of several', { $in: [field('inputs.n'), [literal(3), literal('x')]] }, [2, 3]],
  ['a number as text', { $eq: [{ $convert: { input: field('inputs.n'), to: 'string' } }, literal('25')] }, [1]],
  [
    'the negation of a condition, which leaves out missing values',
    { $not: [{ $eq: [field('inputs.question'), literal('Why?')] }] },
    [2],
  ],
  ['status success', { $eq: [field('summary.weave.status'), literal('success')] }, [1]],
  ['status error', { $eq: [field('summary.weave.status'), literal('error')] }, [2]],
  ['status descendant_error', { $eq: [field('summary.weave.status'), literal('descendant_error')] }, [3]],
  ['status running', { $eq: [field('summary.weave.status'), literal('running')] }, [4]],
  ['latency with its microseconds', { $eq: [field('summary.weave.latency_ms'), literal(250.001)] }, [1, 2, 3]],
  ['trace names', { $in: [field('summary.weave.trace_name'), [literal('Look up'), literal('other')]] }, [2, 3]],
  [
    'starts',
    {
      $and: [
        { $gt: [field('started_at'), literal('2026-01-01T00:00:01Z')] },
        { $lt: [field('started_at'), literal(1767225604)] },
      ],
    },
    [2, 3],
  ],
  ['no end', { $eq: [field('ended_at'), literal(null)] }, [4]],
  ['no parent', { $eq: [field('parent_id'), literal(null)] }, [1, 3, 4]],
  ['a turn', { $eq: [field('turn_id'), literal(id(1))] }, [1]],
  ['hostile text', { $eq: [field("inputs.x') OR 1=1 --"), literal("' OR 1=1 --")] }, []],
])('a query finds %s', async (_, $expr, found) => {
  expect(await findIds({ query: { $expr } })).toEqual(found)
})

test.each<[string, object[], number[]]>([
  ['starts, the newest first', [{ field: 'started_at', direction: 'desc' }], [4, 3, 2, 1]],
  ['ends, running calls last in both directions', [{ field: 'ended_at', direction: 'desc' }], [3, 2, 1, 4]],
  ['values of JSON: numbers, then text, then missing values', [{ field: 'inputs.n', direction: 'asc' }], [2, 1, 3, 4]],
  ['values of JSON in descending order', [{ field: 'inputs.n', direction: 'desc' }], [1, 2, 3, 4]],
  [
    'two keys, then the id in the direction of the last',
    [
      { field: 'trace_id', direction: 'asc' },
      { field: 'op_name', direction: 'desc' },
    ],
    [2, 1, 4, 3],
  ],
])('sorts by %s', async (_, sort_by, found) => {
  expect(await findIds({ sort_by })).toEqual(found)
})

test('pages by limit and offset, alone or together', async () => {
  const ids = async (body: object) => (await query(body)).map((call) => Number(call.id))
  expect(await ids({ limit: 2 })).toEqual([1, 2])
  expect(await ids({ offset: 3 })).toEqual([4])
  expect(await ids({ limit: 2, offset: 1 })).toEqual([2, 3])
  expect(await ids({ limit: 0 })).toEqual([])
  expect(await ids({ offset: 9 })).toEqual([])
  const stats = await service.post('/calls/query_stats', { project_id, limit: 2 })
  expect(await stats.json()).toEqual({ count: 2 })
})

test('only the named columns are read, but attributes and inputs are always objects', async () => {
  const [call] = await query({ columns: ['output', 'wb_run_id', 'summary.weave.status'], limit: 1 })
  expect(Object.keys(call ?? {})).toEqual([
    'id',
    'project_id',
    'op_name',
    'display_name',
    'trace_id',
    'started_at',
    'ended_at',
    'exception',
    'attributes',
    'inputs',
    'output',
    'summary',
    'wb_run_id',
  ])
  expect(call).toMatchObject({ attributes: {}, inputs: {}, wb_run_id: null, summary: { weave: { status: 'success' } } })
  expect(call).toHaveProperty('ended_at', '2026-01-01T00:00:01.250001Z')
})

test('costs follow the price that applies at the start, cached tokens have their own, and a model without a price has no cost', async () => {
  const [call] = await query({ filter: { call_ids: [id(1)] }, include_costs: true, columns: ['id'] })
  expect(call?.summary?.weave.costs).toEqual({
    'model.1': {
      // The names are Anthropic's, which counts cached tokens beside `input_tokens`.
      prompt_tokens: 1400,
      completion_tokens: 10,
      requests: 1,
      total_tokens: 1410,
      cache_read_input_tokens: 400,
      cache_creation_input_tokens: 0,
      prompt_token_cost: 0.0000025,
      completion_token_cost: 0.00001,
      cache_read_input_token_cost: 0.00000125,
      cache_creation_input_token_cost: null,
      prompt_tokens_total_cost: 0.0025,
      completion_tokens_total_cost: 0.0001,
      cache_read_input_tokens_total_cost: 0.0005,
      cache_creation_input_tokens_total_cost: null,
      prompt_token_cost_unit: 'USD',
      completion_token_cost_unit: 'USD',
      effective_date: '2025-01-01T00:00:00Z',
      provider_id: 'openai',
      pricing_level: 'default',
      pricing_level_id: 'default',
      created_at: '1970-01-01T00:00:00Z',
      created_by: 'system',
    },
  })
  const [other] = await query({ filter: { call_ids: [id(2)] }, include_costs: true })
  expect(other?.summary?.weave).not.toHaveProperty('costs')
})

test('costs of cached tokens depend on the client, as far as the names of its counts do not say how it counts', async () => {
  const project = 'acme/clients'
  const usage = { claude: { requests: 1, input_tokens: 1000, output_tokens: 10, cache_read_input_tokens: 400 } }
  const anthropic = { integration: { name: 'anthropic', version: '0.54.0' } }
  const python = { weave: { source: 'python-sdk', client_version: '0.54.0' } }
  const calls: [number, object, object][] = [
    [1, { weave: { source: 'js-sdk', client_version: '0.11.1' } }, {}],
    [2, { ...python, ...anthropic }, { status_counts: { success: 1, error: 0 } }],
    [3, python, { status_counts: { success: 2, error: 0 } }],
  ]
  await service.post('/cost/create', {
    project_id: project,
    costs: { claude: { prompt_token_cost: 0.001, completion_token_cost: 0.01, cache_read_input_token_cost: 0.0001 } },
  })
  const batch = calls.flatMap(([n, attributes, more]) => [
    start(n, { project_id: project, attributes }),
    end(n, { project_id: project, summary: { usage, ...more } }),
  ])
  expect((await service.post('/call/upsert_batch', { batch })).status).toBe(200)
  const response = await service.post('/calls/stream_query', { project_id: project, include_costs: true, columns: ['id'] })
  const costs = (parseJsonLines(await response.text()) as Call[]).map(({ summary }) => summary?.weave.costs?.['claude']) // see query()
  expect(costs.map((cost) => [cost?.prompt_tokens, cost?.prompt_tokens_total_cost])).toEqual([
    [1400, 1],
    [1000, 0.6],
    [1000, 0.6],
  ])
})

test('costs say that cached tokens are billed at the prompt price, where a project’s price has none for them', async () => {
  const project = 'acme/prices'
  const usage = { own: { requests: 1, prompt_tokens: 1000, completion_tokens: 10, cache_read_input_tokens: 400 } }
  const prices = { own: { prompt_token_cost: 0.001, completion_token_cost: 0.01 } }
  await service.post('/cost/create', { project_id: project, costs: prices })
  await service.post('/call/upsert_batch', {
    batch: [start(1, { project_id: project }), end(1, { project_id: project, summary: { usage } })],
  })
  const fields = ['llm_id', 'cache_read_input_token_cost']
  const ofModel = { $expr: { $eq: [{ $getField: 'llm_id' }, { $literal: 'own' }] } }
  const stored = await service.post('/cost/query', { project_id: project, fields, query: ofModel })
  expect(await stored.json()).toEqual({ results: [{ llm_id: 'own', cache_read_input_token_cost: null }] })
  const read = await service.post('/call/read', { project_id: project, id: id(1), include_costs: true })
  expect(await read.json()).toMatchObject({
    call: {
      summary: {
        usage,
        weave: {
          costs: {
            own: {
              pricing_level: 'project',
              prompt_token_cost: 0.001,
              cache_read_input_token_cost: 0.001,
              prompt_tokens_total_cost: 0.6,
              cache_read_input_tokens_total_cost: 0.4,
            },
          },
        },
      },
    },
  })
})

test('one call is read by its id, null where the project has none', async () => {
  const read = async (body: object) => (await service.post('/call/read', { project_id, ...body })).json()
  expect(await read({ id: id(2), include_storage_size: true })).toMatchObject({
    call: { id: id(2), exception: 'It broke', summary: { weave: { status: 'error' } } },
  })
  expect(await read({ id: id(5) })).toEqual({ call: null })
  expect(await read({ id: "'" })).toEqual({ call: null })
})

test('only users of a project read its calls, and never those of another project', async () => {
  const elsewhere = await service.post('/calls/stream_query', { project_id: 'acme/other' })
  expect((parseJsonLines(await elsewhere.text()) as Call[]).map((call) => call.op_name)).toEqual(['elsewhere']) // see query()
  for (const [path, more] of [
    ['/calls/stream_query', {}],
    ['/calls/query_stats', {}],
    ['/call/read', { id: id(1) }],
    ['/threads/usage', { thread_ids: ['é'] }],
  ] as const) {
    expect((await service.post(path, { project_id: 'acme/other', ...more }, reviewer)).status, path).toBe(403)
    expect((await service.post(path, { project_id, ...more }, reviewer)).status, path).toBe(200)
  }
})

test('a query that becomes too much SQL gets 422 that says so', async () => {
  const conditions = Array.from({ length: 320 }, (_, index) => ({ $eq: [field(`inputs.a${index}.1.b`), literal(`${index}`)] }))
  const response = await service.post('/calls/stream_query', { project_id, query: { $expr: { $or: conditions } } })
  expect(response.status).toBe(422)
  expect(await response.json()).toMatchObject({
    detail: [{ loc: ['body', 'query'], type: 'query_too_complex', msg: expect.stringContaining('too complex') as string }],
  })
})

test('an invalid request gets 422 with every problem', async () => {
  const response = await service.post('/calls/stream_query', {
    project_id: 'x',
    filter: { status: 1 },
    sort_by: [{ field: 'cost', direction: 'up' }],
  })
  expect(response.status).toBe(422)
  const { detail } = (await response.json()) as { detail: { loc: string[] }[] } // the one error body
  expect(detail.map(({ loc }) => loc.join('.'))).toEqual([
    'body.project_id',
    'body.filter.status',
    'body.sort_by.0.field',
    'body.sort_by.0.direction',
  ])
})

test('the spans below the turn of a conversation have its turn id, and it knows that one of them failed', async () => {
  const toSpan = (digit: string, session: boolean) => ({
    traceId: trace('c'),
    spanId: digit.repeat(16),
    parentSpanId: digit === '1' ? '' : String(Number(digit) - 1).repeat(16),
    name: 'span',
    startTimeUnixNano: `176722560${digit}000000000`,
    endTimeUnixNano: `176722560${digit}500000000`,
    attributes: session ? [{ key: 'session.id', value: { stringValue: 'talk' } }] : [],
    status: digit === '3' ? { code: 2, message: 'no reply' } : {},
  })
  const resource = {
    attributes: [
      { key: 'wandb.entity', value: { stringValue: 'acme' } },
      { key: 'wandb.project', value: { stringValue: 'spans' } },
    ],
  }
  // The children arrive first, and only two of them name the session.
  for (const spans of [[toSpan('3', false)], [toSpan('2', true)], [toSpan('1', true)]]) {
    await service.post('/v1/traces', { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] })
  }
  const spans = await query({ project_id: 'acme/spans' })
  const turnId = '1'.repeat(16)
  expect(spans.map(({ turn_id, summary }) => [turn_id, summary?.weave.status])).toEqual([
    [turnId, 'descendant_error'],
    [turnId, 'descendant_error'],
    [turnId, 'error'],
  ])
  expect(spans.map(({ wb_user_id }) => wb_user_id)).toEqual(['admin', 'admin', 'admin'])
  const filter = { turn_ids: [turnId, '2'.repeat(16)] }
  expect(await findIds({ project_id: 'acme/spans', filter })).toEqual([1111111111111111, 2222222222222222, 3333333333333333])
  const read = await service.post('/call/read', { project_id: 'acme/spans', id: '2'.repeat(16) })
  expect(await read.json()).toMatchObject({ call: { turn_id: turnId, summary: { weave: { status: 'descendant_error' } } } })
  const stats = await service.post('/calls/query_stats', { project_id: 'acme/spans', filter })
  expect(await stats.json()).toEqual({ count: 3 })
  // A condition on all calls of a project looks at what each says of itself.
  const isTurn = { $expr: { $not: [{ $eq: [field('turn_id'), literal(null)] }] } }
  expect(await findIds({ project_id: 'acme/spans', query: isTurn })).toEqual([1111111111111111])
})
