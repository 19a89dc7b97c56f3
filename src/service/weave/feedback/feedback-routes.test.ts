import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, reviewer, type TestApp } from '../../testing/test-app'

let service: TestApp

beforeAll(async () => {
  service = await openTestApp()
})
afterAll(() => service.close())

type Found = Record<string, unknown>
type ResponseBody = {
  id: string
  created_at: string
  res: { id: string }[]
  result: Found[]
  detail: { loc: string[]; msg: string; type: string }[]
}

async function post(path: string, body: object, user?: typeof reviewer): Promise<{ status: number; body: ResponseBody }> {
  const response = user ? await service.post(path, body, user) : await service.post(path, body)
  return { status: response.status, body: (await response.json()) as ResponseBody } // what the service itself checks by the contract
}

const noteOf = (projectId: string, more: object = {}) => ({
  project_id: projectId,
  weave_ref: `weave:///${projectId}/call/0123456789abcdef`,
  feedback_type: 'wandb.note.1',
  payload: { note: 'gut 😀' },
  ...more,
})
async function create(projectId: string, more: object = {}): Promise<string> {
  const { status, body } = await post('/feedback/create', noteOf(projectId, more))
  expect(status, JSON.stringify(body)).toBe(200)
  return body.id
}
const query = async (projectId: string, more: object = {}) =>
  (await post('/feedback/query', { project_id: projectId, ...more })).body.result
const isField = (field: string, literal: unknown) => ({ $expr: { $eq: [{ $getField: field }, { $literal: literal }] } })

test.each([2 ** 63, -(2 ** 64), 1e20])(
  'feedback with the number %d is returned with it, and found by what is beside it',
  async (number) => {
    const projectId = `numbers/${encodeURIComponent(number)}`
    const payload = { kind: 'large', deep: { number } }
    await create(projectId, { payload })
    for (const [field, literal] of [
      ['payload.kind', 'large'],
      ['payload.deep.number', number],
    ] as const) {
      expect(await query(projectId, { query: isField(field, literal) }), field).toMatchObject([{ payload }])
    }
  },
)

test('feedback is returned as it was sent, with its author and time', async () => {
  service.clock.offsetMs = Date.UTC(2026, 0, 2, 3, 4, 5) - Date.now()
  const more = {
    creator: 'Zoë',
    runnable_ref: 'weave:///whole/p/op/x:1',
    call_ref: 'weave:///whole/p/call/ab',
    wb_user_id: 'somebody',
  }
  const { body } = await post('/feedback/create', noteOf('whole/p', more))
  service.clock.offsetMs = 0
  expect(body).toMatchObject({
    wb_user_id: 'admin',
    payload: { note: 'gut 😀' },
    created_at: expect.stringMatching(/^2026-01-02T03:0\d:\d\d(\.\d{6})?Z$/) as string,
  })
  expect(await query('whole/p')).toEqual([
    {
      id: body.id,
      project_id: 'whole/p',
      weave_ref: 'weave:///whole/p/call/0123456789abcdef',
      wb_user_id: 'admin',
      creator: 'Zoë',
      created_at: body.created_at,
      feedback_type: 'wandb.note.1',
      payload: { note: 'gut 😀' },
      annotation_ref: null,
      runnable_ref: 'weave:///whole/p/op/x:1',
      call_ref: 'weave:///whole/p/call/ab',
      trigger_ref: null,
      queue_id: null,
    },
  ])
})

test('feedback sent again with the same id does not change the first', async () => {
  const id = '018f1f2a-9c2b-7d3e-b5a1-8c9d2e4f6a7b'
  await create('again/p', { id })
  service.clock.offsetMs = 60_000
  await create('again/p', { id, payload: { note: 'another' } })
  service.clock.offsetMs = -3_600_000
  await create('again/p', { id, payload: { note: 'after the clock was set back' } })
  service.clock.offsetMs = 0
  expect(await query('again/p')).toMatchObject([{ id, payload: { note: 'gut 😀' } }])
  const twice = [noteOf('twice/p', { id }), noteOf('twice/p', { id, payload: { note: 'the same id again' } })]
  expect((await post('/feedback/batch/create', { batch: twice })).body.res).toHaveLength(2)
  expect(await query('twice/p')).toMatchObject([{ id, payload: { note: 'gut 😀' } }])
  await create('again/q', { id })
  expect(await query('again/p')).toHaveLength(1)
})

test('a reaction gets the names of its emoji, and is found by the one without a skin tone', async () => {
  const reaction = (emoji: unknown) => noteOf('react/p', { feedback_type: 'wandb.reaction.1', payload: { emoji } })
  const named = { emoji: '👍🏽', alias: ':thumbs_up_medium_skin_tone:', detoned: '👍', detoned_alias: ':thumbs_up:' }
  expect((await post('/feedback/create', reaction('👍🏽'))).body).toMatchObject({ payload: named })
  expect((await post('/feedback/batch/create', { batch: [reaction('👍'), noteOf('react/p')] })).status).toBe(200)
  const found = await query('react/p', { query: isField('payload.detoned_alias', ':thumbs_up:'), fields: ['payload.alias'] })
  expect(found).toEqual([{ 'payload.alias': ':thumbs_up:' }, { 'payload.alias': ':thumbs_up_medium_skin_tone:' }])
  const problem = (loc: string[]) => ({
    status: 422,
    body: { detail: [{ loc, msg: expect.stringContaining('one emoji') as string }] },
  })
  expect(await post('/feedback/create', reaction('👍👍'))).toMatchObject(problem(['body', 'payload', 'emoji']))
  expect(await post('/feedback/batch/create', { batch: [reaction('👍'), reaction(7)] })).toMatchObject(
    problem(['body', 'batch', '1', 'payload', 'emoji']),
  )
})

test('a batch is stored completely, and its ids are returned in order', async () => {
  const ids = ['018f1f2a-9c2b-7d3e-b5a1-8c9d2e4f6a01', '018f1f2a-9c2b-7d3e-b5a1-8c9d2e4f6a00']
  const { body } = await post('/feedback/batch/create', { batch: ids.map((id) => noteOf('batch/p', { id })) })
  expect(body.res.map(({ id }) => id)).toEqual(ids)
  expect(await query('batch/p')).toHaveLength(2)
  expect((await post('/feedback/batch/create', { batch: [] })).body).toEqual({ res: [] })
  const mixed = { batch: [noteOf('acme/support'), noteOf('other/secret')] }
  expect((await post('/feedback/batch/create', mixed, reviewer)).status).toBe(403)
  expect(await query('acme/support')).toEqual([])
})

test('a query filters by columns and payload, in a total order, with pages and requested fields', async () => {
  const scores = [0.5, 0.9, 0.1, null, 'high']
  for (const [index, output] of scores.entries()) {
    service.clock.offsetMs = index * 1000
    await create('query/p', {
      feedback_type: `wandb.runnable.tone${index % 2}`,
      payload: { output, 'od"d': { deep: [1, index] } },
    })
  }
  service.clock.offsetMs = 0
  const outputs = async (more: object) =>
    (await query('query/p', more)).map(({ payload }) => (payload as { output: unknown }).output)
  expect(await outputs({})).toEqual(scores.toReversed())
  expect(await outputs({ sort_by: [{ field: 'created_at', direction: 'asc' }], limit: 2, offset: 1 })).toEqual([0.9, 0.1])
  expect(await outputs({ query: isField('feedback_type', 'wandb.runnable.tone1') })).toEqual([null, 0.9])
  expect(await outputs({ query: { $expr: { $gt: [{ $getField: 'payload.output' }, { $literal: 0.3 }] } } })).toEqual([0.9, 0.5])
  expect(await outputs({ query: isField('payload.output', 'high') })).toEqual(['high'])
  expect(await outputs({ query: isField('payload.od"d.deep', null), limit: 1 })).toEqual([])
  expect(await outputs({ query: isField('weave_ref', 'weave:///query/p/call/0123456789abcdef'), limit: 0 })).toEqual([])
  expect(await query('query/p', { fields: ['feedback_type', 'id'], limit: 1 })).toEqual([
    { id: expect.any(String) as string, feedback_type: 'wandb.runnable.tone0' },
  ])
})

test('a query counts, whatever its limit, and reads single values of the payload', async () => {
  await create('fields/p', { payload: { note: 'naïve "1"', deep: { list: [1, 'x'] } } })
  await create('fields/p', { payload: { note: 5 }, feedback_type: 'other' })
  expect(await query('fields/p', { fields: ['count(*)'], limit: 1, offset: 1 })).toEqual([{ 'count(*)': 2 }])
  expect(await query('fields/p', { fields: ['count(*)'], query: isField('feedback_type', 'other') })).toEqual([{ 'count(*)': 1 }])
  expect(await query('empty/p', { fields: ['count(*)'] })).toEqual([{ 'count(*)': 0 }])
  const sort_by = [{ field: 'feedback_type', direction: 'desc' }]
  expect(await query('fields/p', { fields: ['payload.note', 'feedback_type', 'payload.deep'], sort_by })).toEqual([
    { feedback_type: 'wandb.note.1', 'payload.note': 'naïve "1"', 'payload.deep': { list: [1, 'x'] } },
    { feedback_type: 'other', 'payload.note': 5, 'payload.deep': null },
  ])
})

test('replaced feedback is gone, and the new one has an id of its own', async () => {
  const first = await create('replace/p', { payload: { note: 'first' } })
  const replace = async (feedback_id: string, more: object) => {
    const { status, body } = await post('/feedback/replace', { ...noteOf('replace/p', more), feedback_id })
    expect(status, JSON.stringify(body)).toBe(200)
    return body.id
  }
  const second = await replace(first, { payload: { note: 'second' } })
  expect(await query('replace/p', { fields: ['id', 'payload'] })).toEqual([{ id: second, payload: { note: 'second' } }])
  const third = await replace(second, { id: second, payload: { note: 'third' } })
  expect(third).not.toBe(second)
  expect(await query('replace/p', { fields: ['payload'] })).toEqual([{ payload: { note: 'third' } }])
  await replace('unknown', { payload: { note: 'fourth' } })
  expect(await query('replace/p')).toHaveLength(2)
})

test('a payload has at most 1 MiB of JSON, and the message names its size', async () => {
  const note = 'é'.repeat(512 * 1024 - 5)
  expect((await post('/feedback/create', noteOf('large/p', { payload: { note } }))).status).toBe(422)
  expect((await post('/feedback/create', noteOf('large/p', { payload: { note: note.slice(0, -1) } }))).status).toBe(200)
  const batch = [noteOf('large/p'), noteOf('large/p', { payload: { note } })]
  expect(await post('/feedback/batch/create', { batch })).toMatchObject({
    status: 422,
    body: {
      detail: [
        { loc: ['body', 'batch', '1', 'payload'], type: 'too_long', msg: expect.stringContaining('1048577 bytes') as string },
      ],
    },
  })
  expect(await query('large/p')).toHaveLength(1)
})

test('a purge deletes feedback of this project only, permanently', async () => {
  const [first, second] = [await create('purge/p'), await create('purge/p')]
  await create('purge/q', { id: first })
  expect((await post('/feedback/purge', { project_id: 'purge/p', query: isField('id', first) })).status).toBe(200)
  expect((await query('purge/p')).map(({ id }) => id)).toEqual([second])
  expect(await query('purge/q')).toHaveLength(1)
  await create('purge/p', { id: first })
  expect(await query('purge/p')).toHaveLength(1)
  expect(await post('/feedback/purge', { project_id: 'purge/p', query: isField('creator', 'x') })).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['body', 'query'] }] },
  })
})

test('users cannot read or write the feedback of other projects', async () => {
  await create('other/secret')
  for (const [path, body] of [
    ['/feedback/create', noteOf('other/secret')],
    ['/feedback/query', { project_id: 'other/secret' }],
    ['/feedback/purge', { project_id: 'other/secret', query: isField('id', 'x') }],
  ] as const) {
    expect(await post(path, body, reviewer), path).toMatchObject({ status: 403 })
  }
  expect(await query('other/secret')).toHaveLength(1)
})

test.each([
  ['/feedback/create', { project_id: 'a/b', weave_ref: 'x', payload: {} }, ['feedback_type'], 'missing'],
  ['/feedback/create', noteOf('a/b', { payload: [] }), ['payload'], 'dict_type'],
  ['/feedback/create', noteOf('a/b', { payload: 'x' }), ['payload'], 'dict_type'],
  ['/feedback/create', noteOf('a/b', { weave_ref: '' }), ['weave_ref'], 'value_error'],
  ['/feedback/create', noteOf('a/b', { id: 'x' }), ['id'], 'value_error'],
  ['/feedback/create', noteOf('ab'), ['project_id'], 'value_error'],
  ['/feedback/batch/create', { batch: [noteOf('a/b'), {}] }, ['batch', '1', 'weave_ref'], 'missing'],
  ['/feedback/query', { project_id: 'a/b', fields: ['payload', 'size_bytes'] }, ['fields', '1'], 'literal_error'],
  [
    '/feedback/query',
    { project_id: 'a/b', sort_by: [{ field: 'payload', direction: 'asc' }] },
    ['sort_by', '0', 'field'],
    'literal_error',
  ],
  ['/feedback/purge', { project_id: 'a/b' }, ['query'], 'missing'],
  ['/feedback/query', { project_id: 'a/b', fields: ['count(*)', 'id'] }, ['fields'], 'value_error'],
  ['/feedback/replace', noteOf('a/b'), ['feedback_id'], 'missing'],
  ['/feedback/query', { project_id: 'a/b', limit: -1 }, ['limit'], 'greater_than_equal'],
])('%s rejects an invalid request', async (path, body, loc, type) => {
  const reply = await post(path, body)
  expect(reply.status).toBe(422)
  expect(reply.body.detail).toContainEqual({ loc: ['body', ...loc], msg: expect.any(String) as string, type })
})

test('an unknown field is rejected, and the message lists the supported ones', async () => {
  expect(await post('/feedback/query', { project_id: 'a/b', query: isField('is_deleted', 0) })).toMatchObject({
    status: 422,
    body: { detail: [{ msg: expect.stringContaining('payload.emoji') as string }] },
  })
})

test('feedback survives a restart', async () => {
  const id = await create('restart/p')
  await service.restart()
  expect(await query('restart/p')).toMatchObject([{ id }])
})
