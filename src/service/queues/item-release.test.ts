import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../testing/test-app'
import { QueueClient, toPeople } from './testing/queue-client'

const [ann, bob] = toPeople('ann', 'bob') as [Person, Person] // two names make two people
type Person = ReturnType<typeof toPeople>[number]
const minuteMs = 60_000

let service: TestApp
let client: QueueClient
let queueId = ''
let projectCount = 0
beforeAll(async () => {
  service = await openTestApp({ moreUsers: [ann, bob] })
})
beforeEach(async () => {
  client = new QueueClient(service, `acme/release${(projectCount += 1)}`)
  queueId = await client.createQueue()
  await client.add(queueId, await client.writeCalls(1))
})
afterAll(() => service.close())

async function leaseFirst(person: Person): Promise<string> {
  return (await client.next(queueId, person)).item?.id ?? ''
}

test('an item that is given back is free at once, and the first in the queue again', async () => {
  const itemId = await leaseFirst(ann)
  expect((await client.next(queueId, bob)).item).toBeNull()
  expect(await client.release(queueId, itemId, ann)).toMatchObject({
    status: 200,
    body: { item: { id: itemId, lease: null, annotation_state: 'unstarted' } },
  })
  expect(await client.next(queueId, bob)).toMatchObject({ item: { id: itemId, lease: { annotator: 'bob' } } })
})

test('only who has the item gives it back', async () => {
  const itemId = await leaseFirst(ann)
  expect(await client.release(queueId, itemId, bob)).toMatchObject({ status: 409, types: ['item_leased'] })
  expect((await client.items(queueId))[0]?.lease?.annotator).toBe('ann')
})

test('giving back twice, at once or later, changes nothing for who has it next', async () => {
  const itemId = await leaseFirst(ann)
  const replies = await Promise.all([1, 2, 3].map(() => client.release(queueId, itemId, ann)))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
  await leaseFirst(bob)
  expect((await client.release(queueId, itemId, ann)).status).toBe(409)
  expect((await client.items(queueId))[0]?.lease?.annotator).toBe('bob')
})

test('an item that was begun stays begun, and its person may lease it again', async () => {
  const itemId = await leaseFirst(ann)
  await client.mark(queueId, itemId, 'in_progress', ann)
  const { body } = await client.release(queueId, itemId, ann)
  expect(body.item).toMatchObject({ lease: null, annotation_state: 'in_progress', reviews: [{ annotator: 'ann' }] })
  expect((await client.lease(queueId, itemId, ann)).status).toBe(200)
})

test('a finished item stays finished', async () => {
  const itemId = await leaseFirst(ann)
  await client.mark(queueId, itemId, 'completed', ann)
  for (const person of [ann, bob]) {
    const { status, body } = await client.release(queueId, itemId, person)
    expect([status, body.item.annotation_state]).toEqual([200, 'completed'])
  }
  expect(await client.stats(queueId)).toEqual([[queueId, 1, 1]])
})

test('an item of another project or queue is unknown', async () => {
  const itemId = await leaseFirst(ann)
  const other = new QueueClient(service, 'acme/elsewhere')
  expect((await other.release(queueId, itemId, ann)).status).toBe(404)
  expect((await client.release(await client.createQueue(), itemId, ann)).status).toBe(404)
  expect((await client.items(queueId))[0]?.lease?.annotator).toBe('ann')
})

test('who may not review any more still gives back', async () => {
  const itemId = await leaseFirst(ann)
  const init = { method: 'PUT', headers: { 'content-type': 'application/json' } }
  const body = JSON.stringify({ project_id: client.projectId, assignees: ['bob'], archived: true })
  expect((await service.send(`/annotation_queues/${queueId}`, { ...init, body })).status).toBe(200)
  expect((await client.release(queueId, itemId, ann)).body.item.lease).toBeNull()
})

test('it stays given back over a restart, and after the time at which the lease would have ended', async () => {
  const itemId = await leaseFirst(ann)
  await client.release(queueId, itemId, ann)
  await service.restart()
  expect((await client.items(queueId))[0]).toMatchObject({ lease: null, annotation_state: 'unstarted' })
  expect(await leaseFirst(bob)).toBe(itemId)
  service.clock.offsetMs += 5 * minuteMs
  expect((await client.items(queueId))[0]?.lease?.annotator).toBe('bob')
})

test('none of this logged a failure', () => {
  expect(service.errorLog).toEqual([])
})
