import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql, uint64 } from '../store/sql'
import { openTestApp, type TestApp } from '../testing/test-app'
import { QueueClient } from './testing/queue-client'

const queueCount = 200
const itemCount = 10_000

let service: TestApp
let client: QueueClient
beforeAll(async () => {
  service = await openTestApp()
  client = new QueueClient(service, 'acme/many')
})
afterAll(() => service.close())

test('the progress of 200 queues of 10,000 items, half of them judged, is one request', async () => {
  const queueIds: string[] = []
  for (let index = 0; index < queueCount; index += 1) queueIds.push(await client.createQueue())
  // Through the wire this would take an hour.
  const items = sql`(SELECT arrayJoin(${queueIds}) AS queue_id, number, concat(queue_id, ' ', toString(number)) AS id,
    leftPad(hex(number), 16, '0') AS call_id FROM numbers(${uint64(itemCount)}))`
  await service.store
    .command(sql`INSERT INTO queue_items (project_id, queue_id, id, call_id, call_started_at, created_at, version)
SELECT ${client.projectId}, queue_id, id, call_id, now64(6), now64(6), 1 FROM ${items}`)
  await service.store.command(sql`INSERT INTO queue_marks (project_id, queue_id, item_id, call_id, annotator, state, marked_at)
SELECT ${client.projectId}, queue_id, id, call_id, concat('p', toString(number % 5)), 'completed', now64(6) - toIntervalMinute(number)
FROM ${items} WHERE number < ${uint64(itemCount / 2)}`)
  for (const ids of [queueIds.slice(0, 50), queueIds]) {
    expect(await client.stats(...ids)).toEqual(ids.map((id) => [id, itemCount, itemCount / 2]))
  }
})
