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

async function createQueues(count: number): Promise<string[]> {
  const queueIds: string[] = []
  for (let index = 0; index < count; index += 1) queueIds.push(await client.createQueue())
  return queueIds
}

/** Items from a number on, half of them judged. Through the wire this would take an hour. */
async function fill(queueIds: readonly string[], count: number, from = 0): Promise<void> {
  const items = sql`(SELECT arrayJoin(${queueIds}) AS queue_id, number, concat(queue_id, ' ', toString(number)) AS id,
    leftPad(hex(number), 16, '0') AS call_id FROM numbers(${uint64(from)}, ${uint64(count)}))`
  await service.store
    .command(sql`INSERT INTO queue_items (project_id, queue_id, id, call_id, call_started_at, created_at, version)
SELECT ${client.projectId}, queue_id, id, call_id, now64(6), now64(6), 1 FROM ${items}`)
  await service.store.command(sql`INSERT INTO queue_marks (project_id, queue_id, item_id, call_id, annotator, state, marked_at)
SELECT ${client.projectId}, queue_id, id, call_id, concat('p', toString(number % 5)), 'completed', now64(6) - toIntervalMinute(number)
FROM ${items} WHERE number < ${uint64(Math.floor((from + count) / 2))}`)
}

test('the progress of 200 queues of 10,000 items, half of them judged, is one request', async () => {
  const queueIds = await createQueues(queueCount)
  await fill(queueIds, itemCount)
  for (const ids of [queueIds.slice(0, 50), queueIds]) {
    expect(await client.stats(...ids)).toEqual(ids.map((id) => [id, itemCount, itemCount / 2]))
  }
})

test('the progress of 200 queues, of which one has 10,000 items, takes under a second of processor time', async () => {
  const [large = '', ...small] = await createQueues(queueCount)
  await fill([large], itemCount)
  await fill(small, 10)
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) {
    // Whatever changes in a queue, it is counted again.
    await fill([large], 1, itemCount + round)
    const before = process.cpuUsage()
    const stats = await client.stats(large, ...small)
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
    expect(stats[0]?.[1]).toBe(itemCount + round + 1)
  }
  const [fastest = 0] = times.toSorted((left, right) => left - right)
  console.log(`processor time: ${times.map((ms) => ms.toFixed(0)).join(', ')} ms`)
  expect(fastest).toBeLessThan(1000)
})
