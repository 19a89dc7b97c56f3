import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../store/sql'
import { openTestApp, type TestApp } from '../testing/test-app'
import { QueueClient, toPeople } from './testing/queue-client'

const itemCount = 10_000
const people = toPeople('ann')
const [ann] = people as [(typeof people)[number]] // one name makes one person

let service: TestApp
let client: QueueClient
beforeAll(async () => {
  service = await openTestApp({ moreUsers: people })
  client = new QueueClient(service, 'acme/large')
})
afterAll(() => service.close())

async function measureMs<T>(name: string, run: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const startMs = performance.now()
  const result = await run()
  const ms = performance.now() - startMs
  console.log(`${name}: ${ms.toFixed(0)} ms`)
  return { result, ms }
}

test('a queue of 10,000 items, each judged by five people for three scorers, is filled, reviewed and summed up in seconds', async () => {
  const specs = await Promise.all(['s0', 's1', 's2'].map((name) => client.createSpec(name, { type: 'integer' })))
  const queueId = await client.createQueue({ reviews_per_item: 5, scorer_refs: specs })
  const callIds = await client.writeCalls(itemCount)
  const added = await measureMs('add 10,000 calls', () => client.add(queueId, callIds))
  expect(added.result).toEqual({ added_count: itemCount, duplicates: 0, unknown_call_ids: [] })
  const again = await measureMs('add them again', () => client.add(queueId, callIds))
  expect(again.result).toEqual({ added_count: 0, duplicates: itemCount, unknown_call_ids: [] })

  // All but the last item: by five people each, of whom the fifth answers one more than the others for every tenth item.
  const reviewed = sql`(SELECT id, call_id, row_number() OVER (ORDER BY created_at) AS position FROM queue_items FINAL
    WHERE project_id = ${client.projectId} AND queue_id = ${queueId} ORDER BY position LIMIT 9999) AS items
  CROSS JOIN (SELECT number FROM numbers(5)) AS people`
  await service.store.command(sql`INSERT INTO queue_marks (project_id, queue_id, item_id, call_id, annotator, state, marked_at)
SELECT ${client.projectId}, ${queueId}, id, call_id, concat('p', toString(number)), 'completed', now64(6) FROM ${reviewed}`)
  await service.store.command(sql`INSERT INTO queue_answers
  (project_id, queue_id, call_id, scorer, annotator, id, annotation_ref, value, created_at, version)
SELECT ${client.projectId}, ${queueId}, call_id, concat('s', toString(scorer)), concat('p', toString(number)), toString(generateUUIDv4()),
  arrayElement(${specs}, scorer + 1), toString(position % 5 + (number = 4 AND position % 10 = 0)), now64(6), 1
FROM ${reviewed} CROSS JOIN (SELECT number AS scorer FROM numbers(3)) AS scorers`)

  const next = await measureMs('next item', () => client.next(queueId, ann))
  expect(next.result).toMatchObject({ item: { call_id: callIds.at(-1) }, open_count: 1 })
  const completed = await measureMs('complete it', () => client.mark(queueId, next.result.item?.id ?? '', 'completed', ann))
  expect(completed.result.status).toBe(200)
  const stats = await measureMs('stats', () => client.stats(queueId))
  expect(stats.result).toEqual([[queueId, itemCount, itemCount - 1]])
  const page = await measureMs('a page of items', () =>
    client.items(queueId, { limit: 50, offset: 5000, include_position: true }),
  )
  expect(page.result[0]).toMatchObject({ position_in_queue: 5001, annotation_state: 'completed' })
  const results = await measureMs('results with a page of items', () => client.results(queueId, { limit: 50 }))
  expect(results.result).toMatchObject({ completed_items: itemCount - 1, disagreed_items: 999 })
  expect(results.result.scorers).toHaveLength(3)
  for (const scorer of results.result.scorers) {
    expect(scorer).toMatchObject({ answer_count: 5 * (itemCount - 1), item_count: itemCount - 1 })
    // Of the ten pairs of answers to every tenth item four differ.
    expect(scorer.agreement?.percent).toBeCloseTo(100 - (40 * 999) / (itemCount - 1), 6)
    expect(scorer.agreement?.krippendorffs_alpha.interval).toBeGreaterThan(0.9)
  }
  expect(results.result.items.every(({ disagreements }) => disagreements.length === 3)).toBe(true)
  for (const { ms } of [added, again, results]) expect(ms).toBeLessThan(15_000)
  for (const { ms } of [next, completed, stats, page]) expect(ms).toBeLessThan(5000)
})

test('none of this logged a failure', () => {
  expect(service.errorLog).toEqual([])
})
