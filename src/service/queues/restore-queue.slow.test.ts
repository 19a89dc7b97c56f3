import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../testing/test-app'
import { QueueClient } from './testing/queue-client'

const rounds = 40

let service: TestApp
let client: QueueClient
beforeAll(async () => {
  service = await openTestApp()
  client = new QueueClient(service, 'acme/restored')
})
afterAll(() => service.close())

/** What each part of the wire says of a queue: there, or gone. */
async function observe(queueId: string): Promise<Record<string, unknown>> {
  const { projectId } = client
  const read = await service.send(`/annotation_queues/${queueId}?project_id=${encodeURIComponent(projectId)}`, { method: 'GET' })
  const list = await service.post('/annotation_queues/query', { project_id: projectId })
  const items = await client.send<{ items?: unknown[] }>(`/annotation_queues/${queueId}/items/query`)
  const [stats] = await client.stats(queueId)
  const results = await client.send(`/annotation_queues/${queueId}/results`)
  return {
    read: read.status,
    isListed: (await list.text()).includes(queueId),
    items: items.body.items?.length ?? items.status,
    counted: stats?.[1],
    results: results.status,
  }
}

const there = { read: 200, isListed: true, items: 2, counted: 2, results: 200 }
const gone = { read: 404, isListed: false, items: 404, counted: 0, results: 404 }

test('of a deletion and a restore at once one is last, and the queue is whole or gone', async () => {
  const queueId = await client.createQueue()
  await client.add(queueId, await client.writeCalls(2))
  const path = `/annotation_queues/${queueId}`
  const remove = () => service.send(`${path}?project_id=${encodeURIComponent(client.projectId)}`, { method: 'DELETE' })
  const restore = () => service.post(`${path}/restore`, { project_id: client.projectId })
  for (let round = 0; round < rounds; round += 1) {
    const isDeletedBefore = round % 4 >= 2
    await (isDeletedBefore ? remove() : restore())
    const orders = round % 2 === 0 ? [remove, restore, remove, restore] : [restore, remove, restore, remove]
    const replies = await Promise.all(orders.map(async (act) => (await act()).status))
    expect(replies.every((status) => status === 200 || status === 404)).toBe(true)
    const seen = await observe(queueId)
    expect([round, seen]).toEqual([round, seen['read'] === 200 ? there : gone])
  }
  await restore()
  expect(await observe(queueId)).toEqual(there)
  expect(service.errorLog).toEqual([])
})
