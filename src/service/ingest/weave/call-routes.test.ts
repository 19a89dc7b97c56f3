import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseJsonLines, openTestApp, reviewer, type TestApp } from '../../testing/test-app'

let service: TestApp

beforeAll(async () => {
  service = await openTestApp()
})
afterAll(() => service.close())

const projectId = 'acme/support'
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** 16 hex digits. Each test uses numbers of its own. */
const toCallId = (number: number) => number.toString(16).padStart(16, '0')

const buildStart = (id: string, more: object = {}) => ({
  project_id: projectId,
  id,
  trace_id: `${id}${id}`,
  op_name: 'answer',
  started_at: '2026-01-01T00:00:00Z',
  attributes: {},
  inputs: { question: 'why?' },
  ...more,
})
const buildTurn = (id: string, threadId: string) => buildStart(id, { thread_id: threadId, turn_id: id })
const buildEnd = (id: string, more: object = {}) => ({
  project_id: projectId,
  id,
  ended_at: '2026-01-01T00:00:00.250Z',
  summary: {},
  output: 'so',
  ...more,
})

async function readResponse(response: Response) {
  return { status: response.status, body: (await response.json()) as unknown }
}

async function readThreads(threadId: string): Promise<unknown[]> {
  const response = await service.post('/threads/stream_query', { project_id: projectId, filter: { thread_ids: [threadId] } })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('application/jsonl')
  return parseJsonLines(await response.text())
}

test('the start and the end of a call make a turn of its thread, which the next query returns', async () => {
  const id = toCallId(1)
  expect(await readResponse(await service.post('/call/start', { start: buildTurn(id, 'two-parts') }))).toEqual({
    status: 200,
    body: { id, trace_id: `${id}${id}` },
  })
  expect(await readThreads('two-parts')).toMatchObject([{ turn_count: 1, p50_turn_duration_ms: null, last_turn_id: null }])
  expect(await readResponse(await service.post('/call/end', { end: buildEnd(id) }))).toEqual({ status: 200, body: {} })
  const response = await service.post('/threads/stream_query', { project_id: projectId, filter: { thread_ids: ['two-parts'] } })
  expect(await response.text()).toBe(
    `{"thread_id":"two-parts","turn_count":1,"start_time":"2026-01-01T00:00:00Z","last_updated":"2026-01-01T00:00:00.250000Z",` +
      `"first_turn_id":"${id}","last_turn_id":"${id}","p50_turn_duration_ms":250,"p99_turn_duration_ms":250}\n`,
  )
})

test('an end may arrive before its start', async () => {
  const id = toCallId(2)
  expect((await service.post('/call/end', { end: buildEnd(id) })).status).toBe(200)
  expect(await readThreads('end-first')).toEqual([])
  await service.post('/call/start', { start: buildTurn(id, 'end-first') })
  expect(await readThreads('end-first')).toMatchObject([{ turn_count: 1, p50_turn_duration_ms: 250 }])
})

test('a start without ids gets a call id and a trace id', async () => {
  const { id: _, trace_id: __, ...start } = buildStart(toCallId(3))
  const { status, body } = await readResponse(await service.post('/call/start', { start }))
  expect(status).toBe(200)
  expect(body).toEqual({ id: expect.stringMatching(uuid) as string, trace_id: expect.stringMatching(uuid) as string })
})

test('a batch stores its valid items and returns a result or an error for each item, in order', async () => {
  const batch = [
    { mode: 'end', req: { end: buildEnd(toCallId(4)) } },
    { mode: 'start', req: { start: buildTurn(toCallId(4), 'batch') } },
    { mode: 'start', req: { start: { ...buildTurn(toCallId(5), 'batch'), started_at: 'yesterday' } } },
    { mode: 'pause', req: {} },
    'nothing',
    { mode: 'start', req: { start: { ...buildTurn(toCallId(6), 'batch'), from_the_future: true } } },
  ]
  const { status, body } = await readResponse(await service.post('/call/upsert_batch', { batch }))
  expect(status).toBe(200)
  expect(body).toMatchObject({
    res: [
      {},
      { id: toCallId(4) },
      { error: { loc: ['body', 'batch', '2', 'req', 'start', 'started_at'], type: 'datetime_parsing' } },
      { error: { loc: ['body', 'batch', '3', 'mode'] } },
      { error: { loc: ['body', 'batch', '4'] } },
      { id: toCallId(6) },
    ],
  })
  expect(await readThreads('batch')).toMatchObject([{ turn_count: 2 }])
})

test('a thread id of 30 MB is refused alone, and the threads of its neighbours are derived', async () => {
  const huge = { ...buildTurn(toCallId(0x30), 'x'.repeat(30_000_000)) }
  const batch = [huge, buildTurn(toCallId(0x31), 'beside huge')].map((start) => ({ mode: 'start', req: { start } }))
  const { status, body } = await readResponse(await service.post('/call/upsert_batch', { batch }))
  expect(status).toBe(200)
  const msg = 'Too long: at most 1,024 characters.'
  expect(body).toEqual({
    res: [
      { error: { loc: ['body', 'batch', '0', 'req', 'start', 'thread_id'], msg, type: 'string_too_long' } },
      { id: toCallId(0x31), trace_id: toCallId(0x31).repeat(2) },
    ],
  })
  expect(await readThreads('beside huge')).toMatchObject([{ turn_count: 1 }])
  const alone = await service.post('/call/start', { start: huge })
  expect(await readResponse(alone)).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'start', 'thread_id'] }] } })
})

test('of a batch only the calls that are nested too deeply are refused', async () => {
  const nest = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  // The body, its list, the item, its request, the start and its inputs are six levels, the key is in the last.
  const items = [494, 495, 100_000].map((levels, index) => {
    const start = JSON.stringify({ ...buildTurn(toCallId(0x34 + index), 'deep'), inputs: { deep: 0 } })
    return `{"mode":"start","req":{"start":${start.replace('"deep":0', `"deep":${nest(levels)}`)}}}`
  })
  const { status, body } = await readResponse(await service.post('/call/upsert_batch', `{"batch":[${items.join()}]}`))
  expect(status).toBe(200)
  const msg = 'This item is nested too deeply: at most 498 levels.'
  expect(body).toEqual({
    res: [
      { id: toCallId(0x34), trace_id: toCallId(0x34).repeat(2) },
      { error: { loc: ['body', 'batch', '1'], msg, type: 'json_invalid' } },
      { error: { loc: ['body', 'batch', '2'], msg, type: 'json_invalid' } },
    ],
  })
  expect(await readThreads('deep')).toMatchObject([{ turn_count: 1 }])
})

test('a batch without any valid item returns an error for each, an empty one no result', async () => {
  const bad = { mode: 'end', req: { end: { project_id: projectId } } }
  expect(await readResponse(await service.post('/call/upsert_batch', { batch: [bad, 'nothing'] }))).toMatchObject({
    status: 200,
    body: {
      res: [
        { error: { loc: ['body', 'batch', '0', 'req', 'end', 'id'], type: 'missing' } },
        { error: { loc: ['body', 'batch', '1'] } },
      ],
    },
  })
  expect((await service.post('/call/upsert_batch', { batch: bad })).status).toBe(422)
  expect(await readResponse(await service.post('/call/upsert_batch', { batch: [] }))).toEqual({ status: 200, body: { res: [] } })
})

test('an item of a project without access is refused, the others are stored', async () => {
  const batch = [
    { mode: 'start', req: { start: { ...buildStart(toCallId(7)), project_id: 'other/secret' } } },
    { mode: 'start', req: { start: buildTurn(toCallId(8), 'own') } },
  ]
  const { status, body } = await readResponse(await service.post('/call/upsert_batch', { batch }, reviewer))
  expect(status).toBe(200)
  expect(body).toMatchObject({ res: [{ error: { type: 'forbidden' } }, { id: toCallId(8) }] })
  expect(
    (await service.post('/call/start', { start: { ...buildStart(toCallId(9)), project_id: 'other/secret' } }, reviewer)).status,
  ).toBe(403)
  expect(
    (await service.post('/call/end', { end: { ...buildEnd(toCallId(9)), project_id: 'other/secret' } }, reviewer)).status,
  ).toBe(403)
  expect((await service.post('/v2/other/secret/calls/complete', { batch: [] }, reviewer)).status).toBe(403)
})

test('complete calls must be of the project in the path', async () => {
  const complete = { ...buildTurn(toCallId(10), 'complete'), ended_at: '2026-01-01T00:00:02Z', output: null, summary: {} }
  expect(await readResponse(await service.post('/v2/acme/support/calls/complete', { batch: [complete] }))).toEqual({
    status: 200,
    body: {},
  })
  expect(await readThreads('complete')).toMatchObject([{ turn_count: 1, p50_turn_duration_ms: 2000 }])
  const other = { ...complete, id: toCallId(11), project_id: 'acme/other' }
  expect(await readResponse(await service.post('/v2/acme/support/calls/complete', { batch: [complete, other] }))).toMatchObject({
    status: 200,
    body: { res: [{}, { error: { loc: ['body', 'batch', '1', 'project_id'] } }] },
  })
  expect(await readResponse(await service.post('/v2/acme/support/calls/complete', { batch: [other] }))).toMatchObject({
    status: 200,
    body: { res: [{ error: { loc: ['body', 'batch', '0', 'project_id'] } }] },
  })
})

test('the path of a start or an end may name its project, but no other', async () => {
  const id = toCallId(12)
  expect((await service.post('/v2/acme/support/call/start', { start: buildTurn(id, 'path') })).status).toBe(200)
  expect((await service.post('/v2/acme/support/call/end', { end: buildEnd(id) })).status).toBe(200)
  expect(await readThreads('path')).toMatchObject([{ turn_count: 1, p50_turn_duration_ms: 250 }])
  expect(await readResponse(await service.post('/v2/acme/other/call/start', { start: buildTurn(id, 'path') }))).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['body', 'start', 'project_id'] }] },
  })
})

test('a query of threads with invalid fields fails, and the error names the valid ones', async () => {
  const ask = async (body: object) =>
    readResponse(await service.post('/threads/stream_query', { project_id: projectId, ...body }))
  expect(await ask({ sort_by: [{ field: 'id', direction: 'up' }], limit: '10', offset: -1, page: 3 })).toMatchObject({
    status: 422,
  })
  const { body } = await ask({ sort_by: [{ field: 'id', direction: 'asc' }] })
  expect(body).toMatchObject({
    detail: [{ loc: ['body', 'sort_by', '0', 'field'], msg: expect.stringContaining('thread_id') as string }],
  })
  expect((await ask({ filter: { after_datetime: 'soon' } })).status).toBe(422)
  expect((await service.post('/threads/stream_query', { project_id: 'other/secret' }, reviewer)).status).toBe(403)
})
