import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../testing/test-app'
import { type Person, QueueClient, toPeople } from './testing/queue-client'

const itemCount = 30
const reviewsPerItem = 2
const people = toPeople(...Array.from({ length: 20 }, (_, index) => `person-${index}`))

let service: TestApp
let client: QueueClient
beforeAll(async () => {
  service = await openTestApp({ moreUsers: people })
  client = new QueueClient(service, 'acme/many')
})
afterAll(() => service.close())

test('of twenty people at once nobody gets an item that another has, and each item is judged as often as asked for', async () => {
  const queueId = await client.createQueue({ reviews_per_item: reviewsPerItem })
  await client.add(queueId, await client.writeCalls(itemCount))
  const holders = new Map<string, string>()
  const review = async (person: Person, index: number) => {
    for (let count = 0; ;) {
      const { item, open_count: openCount } = await client.next(queueId, person)
      if (!item) {
        if (openCount === 0) return
        await wait(20)
        continue
      }
      expect([item.id, holders.get(item.id)]).toEqual([item.id, undefined])
      holders.set(item.id, person.username)
      count += 1
      expect((await client.lease(queueId, item.id, person)).status).toBe(200)
      // From here on somebody else may get it.
      holders.delete(item.id)
      const isGivenBack = index % 4 === 0 && count === 1
      const { status } = await (isGivenBack
        ? client.release(queueId, item.id, person)
        : client.mark(queueId, item.id, 'completed', person))
      expect(status).toBe(200)
    }
  }
  await Promise.all(people.map(review))
  const items = await client.items(queueId)
  expect(items).toHaveLength(itemCount)
  for (const { annotation_state: state, reviews } of items) {
    expect([state, new Set(reviews.map(({ annotator }) => annotator)).size, reviews.length]).toEqual(['completed', 2, 2])
  }
  expect(await client.stats(queueId)).toEqual([[queueId, itemCount, itemCount]])
})

test('none of this logged a failure', () => {
  expect(service.errorLog).toEqual([])
})
