import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseJsonLines, openTestApp, reviewer, type TestApp } from '../../testing/test-app'

let service: TestApp

beforeAll(async () => {
  service = await openTestApp()
})
afterAll(() => service.close())

const projectId = 'acme/support'
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** 16 hex digits, another for each test. */
const idOf = (number: number) => number.toString(16).padStart(16, '0')

const startOf = (id: string, more: object = {}) => ({
  project_id: projectId,
  id,
  trace_id: `${id}${id}`,
  op_name: 'answer',
  started_at: '2026-01-01T00:00:00Z',
  attributes: {},
  inputs: { question: 'why?' },
  ...more,
})
const turnOf = (id: string, threadId: string) => startOf(id, { thread_id: threadId, turn_id: id })
const endOf = (id: string, more: object = {}) => ({
  project_id: projectId,
  id,
  ended_at: '2026-01-01T00:00:00.250Z',
  summary: {},
  output: 'so',
  ...more,
})

async function answer(response: Response) {
  return { status: response.status, body: (await response.json()) as unknown }
}

async function threadsOf(threadId: string): Promise<unknown[]> {
  const response = await service.post('/threads/stream_query', { project_id: projectId, filter: { thread_ids: [threadId] } })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('application/jsonl')
  return parseJsonLines(await response.text())
}

test('a call in two parts is a turn of its thread at once, line by line in the order of the wire', async () => {
  const id = idOf(1)
  expect(await answer(await service.post('/call/start', { start: turnOf(id, 'two-parts') }))).toEqual({
    status: 200,
    body: { id, trace_id: `${id}${id}` },
  })
  expect(await threadsOf('two-parts')).toMatchObject([{ turn_count: 1, p50_turn_duration_ms: null, last_turn_id: null }])
  expect(await answer(await service.post('/call/end', { end: endOf(id) }))).toEqual({ status: 200, body: {} })
  const response = await service.post('/threads/stream_query', { project_id: projectId, filter: { thread_ids: ['two-parts'] } })
  expect(await response.text()).toBe(
    `{"thread_id":"two-parts","turn_count":1,"start_time":"2026-01-01T00:00:00Z","last_updated":"2026-01-01T00:00:00.250000Z",` +
      `"first_turn_id":"${id}","last_turn_id":"${id}","p50_turn_duration_ms":250,"p99_turn_duration_ms":250}\n`,
  )
})

test('an end that arrives before its start waits for it', async () => {
  const id = idOf(2)
  expect((await service.post('/call/end', { end: endOf(id) })).status).toBe(200)
  expect(await threadsOf('end-first')).toEqual([])
  await service.post('/call/start', { start: turnOf(id, 'end-first') })
  expect(await threadsOf('end-first')).toMatchObject([{ turn_count: 1, p50_turn_duration_ms: 250 }])
})

test('a start without ids is given a call id and a trace id', async () => {
  const { id: _, trace_id: __, ...start } = startOf(idOf(3))
  const { status, body } = await answer(await service.post('/call/start', { start }))
  expect(status).toBe(200)
  expect(body).toEqual({ id: expect.stringMatching(uuid) as string, trace_id: expect.stringMatching(uuid) as string })
})

test('a batch answers in order, stores the good parts and says what is wrong with the bad ones in their places', async () => {
  const batch = [
    { mode: 'end', req: { end: endOf(idOf(4)) } },
    { mode: 'start', req: { start: turnOf(idOf(4), 'batch') } },
    { mode: 'start', req: { start: { ...turnOf(idOf(5), 'batch'), started_at: 'yesterday' } } },
    { mode: 'pause', req: {} },
    'nothing',
    { mode: 'start', req: { start: { ...turnOf(idOf(6), 'batch'), from_the_future: true } } },
  ]
  const { status, body } = await answer(await service.post('/call/upsert_batch', { batch }))
  expect(status).toBe(200)
  expect(body).toMatchObject({
    res: [
      {},
      { id: idOf(4) },
      { error: { loc: ['body', 'batch', '2', 'req', 'start', 'started_at'], type: 'datetime_parsing' } },
      { error: { loc: ['body', 'batch', '3', 'mode'] } },
      { error: { loc: ['body', 'batch', '4'] } },
      { id: idOf(6) },
    ],
  })
  expect(await threadsOf('batch')).toMatchObject([{ turn_count: 2 }])
})

test('a batch without a good part is refused with every problem, an empty one is fine', async () => {
  const bad = { mode: 'end', req: { end: { project_id: projectId } } }
  const { status, body } = await answer(await service.post('/call/upsert_batch', { batch: [bad, bad] }))
  expect(status).toBe(422)
  expect((body as { detail: { loc: string[] }[] }).detail.map(({ loc }) => loc.slice(0, 3))).toContainEqual([
    'body',
    'batch',
    '1',
  ])
  expect(await answer(await service.post('/call/upsert_batch', { batch: [] }))).toEqual({ status: 200, body: { res: [] } })
})

test('a part of a project that is not the user’s is refused, the others are stored', async () => {
  const batch = [
    { mode: 'start', req: { start: { ...startOf(idOf(7)), project_id: 'other/secret' } } },
    { mode: 'start', req: { start: turnOf(idOf(8), 'own') } },
  ]
  const { status, body } = await answer(await service.post('/call/upsert_batch', { batch }, reviewer))
  expect(status).toBe(200)
  expect(body).toMatchObject({ res: [{ error: { type: 'forbidden' } }, { id: idOf(8) }] })
  expect(
    (await service.post('/call/start', { start: { ...startOf(idOf(9)), project_id: 'other/secret' } }, reviewer)).status,
  ).toBe(403)
  expect((await service.post('/call/end', { end: { ...endOf(idOf(9)), project_id: 'other/secret' } }, reviewer)).status).toBe(403)
  expect((await service.post('/v2/other/secret/calls/complete', { batch: [] }, reviewer)).status).toBe(403)
})

test('whole calls of the project in the path are stored, and one of another project is refused in its place', async () => {
  const whole = { ...turnOf(idOf(10), 'whole'), ended_at: '2026-01-01T00:00:02Z', output: null, summary: {} }
  expect(await answer(await service.post('/v2/acme/support/calls/complete', { batch: [whole] }))).toEqual({
    status: 200,
    body: {},
  })
  expect(await threadsOf('whole')).toMatchObject([{ turn_count: 1, p50_turn_duration_ms: 2000 }])
  const other = { ...whole, id: idOf(11), project_id: 'acme/other' }
  expect(await answer(await service.post('/v2/acme/support/calls/complete', { batch: [whole, other] }))).toMatchObject({
    status: 200,
    body: { res: [{}, { error: { loc: ['body', 'batch', '1', 'project_id'] } }] },
  })
  expect((await service.post('/v2/acme/support/calls/complete', { batch: [other] })).status).toBe(422)
})

test('parts may name their project in the path as well, but not another', async () => {
  const id = idOf(12)
  expect((await service.post('/v2/acme/support/call/start', { start: turnOf(id, 'path') })).status).toBe(200)
  expect((await service.post('/v2/acme/support/call/end', { end: endOf(id) })).status).toBe(200)
  expect(await threadsOf('path')).toMatchObject([{ turn_count: 1, p50_turn_duration_ms: 250 }])
  expect(await answer(await service.post('/v2/acme/other/call/start', { start: turnOf(id, 'path') }))).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['body', 'start', 'project_id'] }] },
  })
})

test('the list of threads refuses what it does not know, naming what it does', async () => {
  const ask = async (body: object) => answer(await service.post('/threads/stream_query', { project_id: projectId, ...body }))
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
