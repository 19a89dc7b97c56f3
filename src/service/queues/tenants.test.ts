import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, reviewer, type TestApp } from '../testing/test-app'
import { QueueClient } from './testing/queue-client'

// `reviewer` may see one project, and knows every id of another one: of its queue, items, calls, answers and scorer.
const ownProject = 'acme/support'
const otherProject = 'rival/secret'
const unknown = {
  queue: '018f1f2a-9c2b-7d3e-b5a1-8c9d2e4f6a7c',
  item: '018f1f2a-9c2b-8d3e-b5a1-8c9d2e4f6a7d',
  call: 'ffffffffffffffff',
  feedback: '018f1f2a-9c2b-7d3e-b5a1-8c9d2e4f6a7b',
  digest: 'x'.repeat(43),
}
type Ids = typeof unknown

let service: TestApp
let other: QueueClient
let stolen: Ids
let ownQueueId = ''
beforeAll(async () => {
  service = await openTestApp()
  other = new QueueClient(service, otherProject)
  const scorer = await other.createSpec('good', { type: 'boolean' })
  const queue = await other.createQueue({ name: 'secret name', description: 'secret text', scorer_refs: [scorer] })
  const [call = ''] = await other.writeCalls(1, 32)
  await other.add(queue, [call])
  const [item] = await other.items(queue)
  const { body } = await other.answer(queue, call, scorer, true, reviewerOfAll)
  stolen = { queue, item: item?.id ?? '', call, feedback: body.id, digest: scorer.split(':').at(-1) ?? '' }
  ownQueueId = await new QueueClient(service, ownProject).createQueue()
})
afterAll(() => service.close())

const reviewerOfAll = { username: 'admin', password: 'admin-secret' }
const isId = (id: string) => ({ $expr: { $eq: [{ $getField: 'id' }, { $literal: id }] } })
const refOf = ({ digest }: Ids, projectId: string) => `weave:///${projectId}/object/good:${digest}`
const answerOf = (ids: Ids, projectId: string) => ({
  weave_ref: `weave:///${projectId}/call/${ids.call}`,
  feedback_type: 'wandb.annotation.good',
  annotation_ref: refOf(ids, projectId),
  payload: { value: false },
  queue_id: ids.queue,
})

type Request = [path: string, fields: object, method?: string]
const queues = '/annotation_queues'
const requests: Record<string, (ids: Ids) => Request> = {
  'reading a queue': ({ queue }) => [`${queues}/${queue}`, {}, 'GET'],
  'changing a queue': ({ queue }) => [`${queues}/${queue}`, { name: 'taken' }, 'PUT'],
  'archiving a queue': ({ queue }) => [`${queues}/${queue}`, { archived: true }, 'PUT'],
  'deleting a queue': ({ queue }) => [`${queues}/${queue}`, {}, 'DELETE'],
  'restoring a queue': ({ queue }) => [`${queues}/${queue}/restore`, {}],
  'adding items': ({ queue, call }) => [`${queues}/${queue}/items`, { call_ids: [call], display_fields: [] }],
  'adding foreign calls to an own queue': ({ call }) => [
    `${queues}/${ownQueueId}/items`,
    { call_ids: [call], display_fields: [] },
  ],
  'listing items': ({ queue }) => [`${queues}/${queue}/items/query`, {}],
  'the next item': ({ queue }) => [`${queues}/${queue}/next`, {}],
  'leasing an item': ({ queue, item }) => [`${queues}/${queue}/items/${item}/lease`, {}],
  'leasing a foreign item by an own queue': ({ item }) => [`${queues}/${ownQueueId}/items/${item}/lease`, {}],
  'marking an item': ({ queue, item }) => [`${queues}/${queue}/items/${item}/progress`, { annotation_state: 'completed' }],
  'the progress of queues': ({ queue }) => [`${queues}/stats`, { queue_ids: [queue] }],
  results: ({ queue }) => [`${queues}/${queue}/results`, {}],
  'results after a call': ({ queue, call }) => [`${queues}/${queue}/results`, { after_call_id: call }],
  'own results after a foreign call': ({ call }) => [`${queues}/${ownQueueId}/results`, { after_call_id: call }],
  'answering in a queue': (ids) => ['/feedback/create', answerOf(ids, ownProject)],
  'answering to a foreign scorer': (ids) => [
    '/feedback/create',
    { ...answerOf(ids, ownProject), annotation_ref: refOf(ids, otherProject) },
  ],
  'replacing feedback': (ids) => [
    '/feedback/replace',
    { weave_ref: 'x', feedback_type: 'note', payload: {}, feedback_id: ids.feedback },
  ],
  'deleting feedback': ({ feedback }) => ['/feedback/purge', { query: isId(feedback) }],
  'reading feedback': ({ feedback }) => ['/feedback/query', { query: isId(feedback) }],
  'reading a scorer': ({ digest }) => ['/obj/read', { object_id: 'good', digest }],
  'deleting a scorer': ({ digest }) => ['/obj/delete', { object_id: 'good', digests: [digest] }],
  'a sample of turns': ({ call }) => ['/threads/sample', { filter: { thread_ids: [call] } }],
}

async function send([path, fields, method = 'POST']: Request, projectId: string, ids: Ids) {
  const isInQuery = method === 'GET' || method === 'DELETE'
  const response = await service.send(
    isInQuery ? `${path}?project_id=${encodeURIComponent(projectId)}` : path,
    isInQuery
      ? { method }
      : { method, body: JSON.stringify({ project_id: projectId, ...fields }), headers: { 'content-type': 'application/json' } },
    reviewer,
  )
  let text = await response.text()
  // What the client sent may come back.
  for (const id of Object.values(ids)) text = text.replaceAll(id, 'ID')
  return { status: response.status, text: text.replaceAll(/"(id|created_at)":"[^"]*"|'weave:[^']*'/g, '') }
}

test.each(Object.keys(requests))('%s: ids of another project are like unknown ones', async (name) => {
  const toRequest = requests[name]
  if (!toRequest) throw new Error('There is no such request.')
  const known = await send(toRequest(stolen), ownProject, stolen)
  expect(known).toEqual(await send(toRequest(unknown), ownProject, unknown))
  expect(known.status).toBeLessThan(500)
  expect(known.text).not.toContain('secret')
  const refused = await send(toRequest(stolen), otherProject, stolen)
  expect(refused.status).toBe(403)
})

test('pages of results begin at any id, of a call of another project too, and have own answers only', async () => {
  const own = new QueueClient(service, ownProject)
  const scorer = await own.createSpec('fair', { type: 'boolean' })
  const queueId = await own.createQueue({ scorer_refs: [scorer] })
  const callIds = [...(await own.writeCalls(3, 16)), ...(await own.writeCalls(3, 48))]
  await own.add(queueId, callIds)
  for (const item of await own.items(queueId)) await own.review(queueId, item, { [scorer]: true }, reviewerOfAll)
  // The second id is nowhere.
  for (const after of [stolen.call, `${stolen.call}0`, stolen.item, stolen.queue]) {
    const { items } = await own.results(queueId, { after_call_id: after })
    expect(items.map(({ call_id: id }) => id)).toEqual(callIds.filter((id) => id > after))
  }
  const everything = JSON.stringify(await own.results(queueId, { after_call_id: '' }))
  for (const id of [stolen.call, stolen.item, stolen.feedback]) expect(everything).not.toContain(id)
})

test('nothing of that changed anything', async () => {
  const reading = await service.send(`${queues}/${stolen.queue}?project_id=${encodeURIComponent(otherProject)}`)
  expect(await reading.json()).toMatchObject({ queue: { name: 'secret name', archived: false } })
  expect(await other.items(stolen.queue)).toMatchObject([{ id: stolen.item, annotation_state: 'unstarted', lease: null }])
  const { result } = await other.get<{ result: unknown[] }>('/feedback/query', {})
  expect(result).toMatchObject([{ id: stolen.feedback, payload: { value: true } }])
  expect(await other.get('/obj/read', { object_id: 'good', digest: 'latest' })).toBeDefined()
  expect(service.errorLog).toEqual([])
})
