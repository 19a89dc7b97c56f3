import { afterAll, beforeAll, expect, test } from 'vitest'
import { QueueClient } from '../../queues/testing/queue-client'
import { administrator, openTestApp, type TestApp } from '../../testing/test-app'

const project_id = 'acme/annotated'
let service: TestApp
let client: QueueClient
let rating = ''
let queueId = ''
beforeAll(async () => {
  service = await openTestApp()
  client = new QueueClient(service, project_id)
  rating = await client.createSpec('rating', { type: 'integer', minimum: 1, maximum: 5 })
  queueId = await client.createQueue({ scorer_refs: [rating] })
})
afterAll(() => service.close())

const toAnnotation = (more: object = {}) => ({
  weave_ref: `weave:///${project_id}/call/0123456789abcdef`,
  feedback_type: 'wandb.annotation.rating',
  annotation_ref: rating,
  payload: { value: 4 },
  ...more,
})

type Detail = { detail: { loc: string[]; msg: string; type: string }[] }
async function findProblems(path: string, fields: object) {
  const { status, body } = await client.send<Detail>(path, fields)
  return { status, found: body.detail.map(({ loc }) => loc.join('.')), messages: body.detail.map(({ msg }) => msg) }
}

test('an answer is feedback on the call, in the form of W&B Weave', async () => {
  // What `call.feedback.add("wandb.annotation.rating", {"value": 4}, annotation_ref=spec.uri())` sends, and the queue.
  const { status, body } = await client.send<{ id: string }>('/feedback/create', toAnnotation({ queue_id: queueId }))
  expect(status).toBe(200)
  const query = { $expr: { $eq: [{ $getField: 'queue_id' }, { $literal: queueId }] } }
  const { result } = await client.get<{ result: unknown[] }>('/feedback/query', { query })
  expect(result).toMatchObject([
    {
      id: body.id,
      feedback_type: 'wandb.annotation.rating',
      annotation_ref: rating,
      queue_id: queueId,
      payload: { value: 4 },
      wb_user_id: 'admin',
    },
  ])
  const fields = ['queue_id', 'payload.value']
  expect(await client.get('/feedback/query', { query, fields })).toEqual({ result: [{ queue_id: queueId, 'payload.value': 4 }] })
})

test('a scorer reference of a queue names the same spec', async () => {
  const fields = toAnnotation({ annotation_ref: rating.replace('/object/', '/scorer/') })
  expect((await client.send('/feedback/create', fields)).status).toBe(200)
  expect(
    (await client.send('/feedback/create', toAnnotation({ annotation_ref: rating.replace(/:[^:]+$/, ':latest') }))).status,
  ).toBe(200)
})

test.each([
  ['too great an answer', { payload: { value: 6 } }, 'body.payload.value', 'Must be 5 or less, not 6.'],
  ['an answer of another type', { payload: { value: 'four' } }, 'body.payload.value', "Must be a whole number, not 'four'."],
  ['no answer', { payload: { note: 'x' } }, 'body.payload.value', 'An annotation has its answer here.'],
  ['no spec', { annotation_ref: undefined }, 'body.annotation_ref', 'names its spec'],
  ['no reference', { annotation_ref: 'rating' }, 'body.annotation_ref', 'Not a reference'],
  ['a reference to an op', { annotation_ref: `weave:///${project_id}/op/rating:v0` }, 'body.annotation_ref', 'Not a reference'],
  [
    'the spec of another project',
    { annotation_ref: 'weave:///acme/other/object/rating:v0' },
    'body.annotation_ref',
    'another project',
  ],
  ['another name', { feedback_type: 'wandb.annotation.tone' }, 'body.annotation_ref', 'names another spec'],
  ['no name', { feedback_type: 'wandb.annotation' }, 'body.feedback_type', 'wandb.annotation.<name of its spec>'],
  [
    'an unknown spec',
    { feedback_type: 'wandb.annotation.tone', annotation_ref: `weave:///${project_id}/object/tone:v0` },
    'body.annotation_ref',
    'has no annotation spec',
  ],
  [
    'a spec for a note',
    { feedback_type: 'wandb.note.1' },
    'body.annotation_ref',
    "Only feedback of a type 'wandb.annotation.<name>'",
  ],
  ['an unknown queue', { queue_id: 'none' }, 'body.queue_id', 'no such annotation queue'],
])('%s is refused, and nothing is stored', async (_, more, loc, message) => {
  const countAll = async () => (await client.get<{ result: unknown[] }>('/feedback/query', { limit: 1000 })).result.length
  const before = await countAll()
  const problems = await findProblems('/feedback/create', toAnnotation(more))
  expect(problems).toEqual({ status: 422, found: [loc], messages: [expect.stringContaining(message)] })
  expect(await countAll()).toBe(before)
})

test('a batch is refused with the place of the wrong answer, and a replacement is checked too', async () => {
  const batch = [toAnnotation({ project_id }), toAnnotation({ project_id, payload: { value: 0 } })]
  expect((await findProblems('/feedback/batch/create', { batch })).found).toEqual(['body.batch.1.payload.value'])
  const { id } = await client.get<{ id: string }>('/feedback/create', toAnnotation())
  expect(
    (await findProblems('/feedback/replace', { ...toAnnotation({ payload: { value: 9 } }), feedback_id: id })).found,
  ).toEqual(['body.payload.value'])
  expect((await client.send('/feedback/replace', { ...toAnnotation({ payload: { value: 1 } }), feedback_id: id })).status).toBe(
    200,
  )
})

test('an answer is refused as soon as its spec or its queue is deleted, and taken as soon as there is one', async () => {
  const answer = (ref: string, queue: string) => client.answer(queue, '0123456789abcdef', ref, true, administrator)
  const missing = `weave:///${project_id}/object/brief:latest`
  expect((await answer(missing, queueId)).status).toBe(422)
  const brief = await client.createSpec('brief', { type: 'boolean' })
  const ownQueueId = await client.createQueue()
  expect((await answer(missing, ownQueueId)).status).toBe(200)
  expect((await answer(brief, ownQueueId)).status).toBe(200)
  await service.send(`/annotation_queues/${ownQueueId}?project_id=${project_id}`, { method: 'DELETE' })
  expect((await answer(brief, ownQueueId)).status).toBe(422)
  expect((await answer(brief, queueId)).status).toBe(200)
  await client.get('/obj/delete', { object_id: 'brief', digests: [brief.split(':').at(-1)] })
  expect((await answer(brief, queueId)).status).toBe(422)
})

test('a pattern is tested without holding anybody up, and one that looks ahead is refused', async () => {
  const slow = await client.createSpec('slow', { type: 'string', pattern: '^(a+)+$' })
  const answer = (value: string) => client.answer(queueId, '0123456789abcdef', slow, value, administrator)
  expect((await answer('aaa')).status).toBe(200)
  const startMs = performance.now()
  expect((await answer(`${'a'.repeat(5000)}!`)).status).toBe(422)
  expect(performance.now() - startMs).toBeLessThan(2000)
  const ahead = await client.createSpec('ahead', { type: 'string', pattern: '(?=a)' })
  expect((await client.answer(queueId, '0123456789abcdef', ahead, 'a', administrator)).status).toBe(422)
})

test('a pattern that a long answer takes minutes for is not tested with it', async () => {
  const answer = async (pattern: string, value: string) => {
    const ref = await client.createSpec('heavy', { type: 'string', pattern })
    return await client.answer(queueId, '0123456789abcdef', ref, value, administrator)
  }
  const text = 'abcdefghijklmnopq'.repeat(1000)
  const heavy = `[a-q]${'[^u-z]{900}'.repeat(20)}x`
  const msg = expect.stringMatching(/^Too long to be tested .*: at most 44 characters\.$/) as string
  expect(await answer(heavy, text)).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['body', 'payload', 'value'], msg }] },
  })
  expect((await answer('^([a-q]{2,}|x){3}', text)).status).toBe(200)
  const uuid = '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$'
  expect((await answer(uuid, '018f1f2a-9c2b-7d3e-b5a1-8c9d2e4f6a7b')).status).toBe(200)
})

test('thousands of patterns for a long answer are refused', async () => {
  const many = await client.createSpec('many', { allOf: Array.from({ length: 2000 }, (_, index) => ({ pattern: `a|${index}` })) })
  const { status, body } = await client.answer(queueId, '0123456789abcdef', many, 'a'.repeat(900_000), administrator)
  expect([status, body]).toMatchObject([422, { detail: [{ msg: expect.stringContaining('too complex') as string }] }])
})

test('a spec whose schema no answer can be checked against is not stored', async () => {
  const obj = { project_id, object_id: 'bad', val: { field_schema: { type: 'bool' } }, builtin_object_class: 'AnnotationSpec' }
  expect(await findProblems('/obj/create', { obj })).toMatchObject({
    status: 422,
    found: ['body.obj.val.field_schema'],
    messages: [expect.stringContaining("Unknown type 'bool'")],
  })
})

test('a value that names the class of specs without its bases is checked too, because people can answer it', async () => {
  const val = { _class_name: 'AnnotationSpec', field_schema: { type: 'bool' } }
  expect(await findProblems('/obj/create', { obj: { project_id, object_id: 'bare', val } })).toMatchObject({
    status: 422,
    found: ['body.obj.val.field_schema'],
  })
})

test('a spec that is too long for its answers to be checked is not stored, and the message names its size', async () => {
  const toObject = (choiceLength: number) => ({
    project_id,
    object_id: 'long',
    val: { field_schema: { enum: ['x'.repeat(choiceLength)] } },
    builtin_object_class: 'AnnotationSpec',
  })
  expect(await findProblems('/obj/create', { obj: toObject(65_536) })).toMatchObject({
    status: 422,
    found: ['body.obj.val'],
    messages: [expect.stringMatching(/^An annotation spec has at most 65,536 characters of JSON, and this one has 65,6\d\d\.$/)],
  })
  const { digest } = await client.get<{ digest: string }>('/obj/create', { obj: toObject(65_000) })
  const ref = `weave:///${project_id}/object/long:${digest}`
  expect((await client.answer(queueId, '0123456789abcdef', ref, 'x'.repeat(65_000), administrator)).status).toBe(200)
})

test('the latest versions of scorers and annotation specs are listed for a picker, in pages', async () => {
  const picker = new QueueClient(service, 'acme/picker')
  await picker.createSpec('tone', { type: 'string', enum: ['kind', 'rude'] })
  await picker.createSpec('tone', { type: 'string', enum: ['kind', 'neutral', 'rude'] })
  await picker.createSpec('good', { type: 'boolean' })
  const scorer = { _type: 'Judge', _class_name: 'Judge', _bases: ['Scorer', 'Object', 'BaseModel'] }
  await picker.get('/obj/create', { obj: { project_id: picker.projectId, object_id: 'judge', val: scorer } })
  await picker.get('/obj/create', { obj: { project_id: picker.projectId, object_id: 'prompt', val: { text: 'x' } } })
  type Objects = {
    objs: { object_id: string; version_index: number; base_object_class: string; val: { field_schema?: object } }[]
  }
  const list = async (page: object) => {
    const filter = { base_object_classes: ['Scorer', 'AnnotationSpec'], latest_only: true }
    const sort_by = [{ field: 'object_id', direction: 'asc' }]
    return (await picker.get<Objects>('/objs/query', { filter, sort_by, ...page })).objs
  }
  const all = await list({})
  expect(all.map((each) => [each.object_id, each.version_index, each.base_object_class])).toEqual([
    ['good', 0, 'AnnotationSpec'],
    ['judge', 0, 'Scorer'],
    ['tone', 1, 'AnnotationSpec'],
  ])
  expect(all[2]?.val.field_schema).toEqual({ type: 'string', enum: ['kind', 'neutral', 'rude'] })
  expect((await list({ limit: 1, offset: 1 })).map(({ object_id: id }) => id)).toEqual(['judge'])
})

test('none of this logged a failure', () => {
  expect(service.errorLog).toEqual([])
})
