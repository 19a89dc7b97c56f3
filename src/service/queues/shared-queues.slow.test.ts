// Two copies of the service over one ClickHouse server, played by a test double of one (store/testing/http-double.ts).
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { rebuildDerived } from '../derive/rebuild-derived'
import { KeyedMutex } from '../lib/keyed-mutex'
import { openStore } from '../store/open-store'
import { sql } from '../store/sql'
import type { Store } from '../store/store'
import { openHttpDouble } from '../store/testing/http-double'
import { addItems } from './add-items'
import { ItemReviews } from './item-reviews'
import { QueueReader } from './queue-reader'
import { insertQueue } from './queue-store'

const projectId = 'acme/shared'
const folder = mkdtempSync(join(tmpdir(), 'spool-shared-queues-'))
const clock = { offsetMs: 0 }

let double: Awaited<ReturnType<typeof openHttpDouble>>
/** Each with a clock and a mutex of its own; that of the second is 20 seconds behind. */
let copies: { store: Store; reviews: ItemReviews }[] = []

beforeAll(async () => {
  double = await openHttpDouble(folder, { username: 'spool', password: 'secret' })
  for (const behindMs of [0, 20_000]) {
    const store = await openStore({ url: double.url }, rebuildDerived)
    const now = () => Date.now() + clock.offsetMs - behindMs
    const deps = { store, clock: now, processClock: () => performance.now(), mutex: new KeyedMutex() }
    copies.push({ store, reviews: new ItemReviews({ ...deps, readRefs: async (_, refs) => refs.map(() => null) }) })
  }
})

afterAll(async () => {
  for (const { store } of copies) await store.close()
  copies = []
  await double.close()
  rmSync(folder, { recursive: true, force: true })
})

const toReader = (user: string) => ({ signal: new AbortController().signal, share: { user, projectId } })
const copy = (index: number) => {
  const found = copies[index % copies.length]
  if (!found) throw new Error('There is no such copy.')
  return found
}

/** A queue with this many new calls, which both copies add at once. */
async function prepare(id: string, callCount: number) {
  const { store } = copy(0)
  const callIds = Array.from({ length: callCount }, (_, index) => `${id}-${index}`)
  const call = { project_id: projectId, op_name: 'answer', started_at: '2026-01-01 00:00:00', trace_id: 't' }
  await store.insert(
    'calls',
    callIds.map((callId) => ({ ...call, id: callId })),
  )
  const fields = { project_id: projectId, name: id, description: '', scorer_refs: [], reviews_per_item: 1, assignees: [] }
  await insertQueue(store, { ...fields, id, createdBy: 'admin', idempotencyKey: '', requestDigest: '' }, Date.now(), {})
  const items = { projectId, queueId: id, callIds, displayFields: [], addedBy: 'admin' }
  await Promise.all(copies.map((each) => addItems(each.store, items, Date.now(), toReader('admin'))))
  const queue = await new QueueReader(store).find(projectId, id, {})
  if (!queue) throw new Error('The queue was not stored.')
  return queue
}

const CountRow = z.object({ item_id: z.string(), people: z.array(z.string()) })

test('copies that add the same calls at once make one item of each, and no two people judge it', async () => {
  const queue = await prepare('raced', 24)
  const holders = new Map<string, string>()
  const review = async (annotator: string, index: number) => {
    const { reviews } = copy(index)
    const reviewer = { queue, annotator, reader: toReader(annotator) }
    for (let idle = 0; idle < 60;) {
      const { item, openCount } = await reviews.next(reviewer)
      if (!item) {
        if (openCount === 0) return
        idle += 1
        continue
      }
      idle = 0
      expect([item.id, holders.get(item.id) ?? annotator]).toEqual([item.id, annotator])
      holders.set(item.id, annotator)
      await reviews.mark(reviewer, item.id, 'completed')
      holders.delete(item.id)
    }
  }
  await Promise.all(['ann', 'bob', 'cy', 'dee', 'eve', 'fay'].map(review))
  const rows = await copy(0).store.query(
    sql`SELECT item_id, groupUniqArray(annotator) AS people FROM queue_marks
WHERE project_id = ${projectId} AND queue_id = ${queue.id} AND state = 'completed' GROUP BY item_id`,
    CountRow,
  )
  expect(rows).toHaveLength(24)
  expect(rows.filter(({ people }) => people.length > 1)).toEqual([])
})

test('of two people who complete an item at once at two copies, never both succeed', async () => {
  const queue = await prepare('completed', 12)
  const { reviews } = copy(0)
  for (let round = 0; round < 12; round += 1) {
    const { item } = await reviews.next({ queue, annotator: 'finder', reader: toReader('finder') })
    await copy(0).store.command(sql`DELETE FROM queue_marks WHERE queue_id = ${queue.id} AND annotator = 'finder'`)
    if (!item) throw new Error('The queue has no open item.')
    const outcomes = await Promise.allSettled(
      ['ann', 'bob'].map((annotator, index) =>
        copy(index).reviews.mark({ queue, annotator, reader: toReader(annotator) }, item.id, 'completed'),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1)
    await reviews.mark({ queue, annotator: 'cy', reader: toReader('cy') }, item.id, 'completed').catch(() => undefined)
  }
})

test('a lease counts for a minute more at other copies, whose clocks differ', async () => {
  const queue = await prepare('leased', 1)
  const ann = { queue, annotator: 'ann', reader: toReader('ann') }
  const bob = { queue, annotator: 'bob', reader: toReader('bob') }
  const { item } = await copy(0).reviews.next(ann)
  clock.offsetMs += 10.5 * 60_000
  expect(await copy(1).reviews.next(bob)).toMatchObject({ item: undefined, openCount: 1 })
  clock.offsetMs += 60_000
  expect((await copy(1).reviews.next(bob)).item?.id).toBe(item?.id)
  expect((await copy(0).reviews.next(ann)).item).toBeUndefined()
})
