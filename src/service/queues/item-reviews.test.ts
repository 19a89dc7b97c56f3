import { afterAll, beforeAll, expect, test } from 'vitest'
import { KeyedMutex } from '../lib/keyed-mutex'
import { openTemporaryStore } from '../store/testing/temporary-store'
import { addItems } from './add-items'
import { ItemReviews } from './item-reviews'
import { changeQueue, findStoredQueue, insertQueue, type StoredQueue } from './queue-store'

const projectId = 'acme/reviews'
const toReader = (user: string) => ({ signal: new AbortController().signal, share: { user, projectId } })

let place: Awaited<ReturnType<typeof openTemporaryStore>>
beforeAll(async () => {
  place = await openTemporaryStore()
})
afterAll(() => place.remove())

/** A queue with one call that two people judge. */
async function prepare(id: string) {
  const { store } = place
  const call = { project_id: projectId, id: `call of ${id}`, op_name: 'answer', started_at: '2026-01-01 00:00:00', trace_id: 't' }
  await store.insert('calls', [call])
  const fields = { project_id: projectId, name: id, description: '', scorer_refs: [], reviews_per_item: 2, assignees: [] }
  await insertQueue(store, { ...fields, id, createdBy: 'admin', idempotencyKey: '', requestDigest: '' }, Date.now(), {})
  const items = { projectId, queueId: id, callIds: [call.id], displayFields: [], addedBy: 'admin' }
  await addItems(store, items, Date.now(), toReader('admin'))
  const queue = (await findStoredQueue(store, projectId, id, {})) as StoredQueue // it was stored above
  const deps = { store, clock: () => Date.now(), processClock: () => performance.now(), mutex: new KeyedMutex() }
  const reviews = new ItemReviews({ ...deps, readRefs: async (_, refs) => refs.map(() => null) })
  const toReviewer = (annotator: string, of = queue) => ({ queue: of, annotator, reader: toReader(annotator) })
  return {
    queue,
    reviews,
    toReviewer,
    change: (reviewsPerItem: number) => changeQueue(store, queue, { reviews_per_item: reviewsPerItem }, Date.now(), {}),
  }
}

test('a review that began before a queue was changed to fewer reviews does not open its item again', async () => {
  const { reviews, toReviewer, change } = await prepare('fewer')
  const { item } = await reviews.next(toReviewer('ann'))
  const changed = await change(1)
  expect((await reviews.next(toReviewer('bob', changed))).item).toBeUndefined()
  await reviews.mark(toReviewer('ann'), item?.id ?? '', 'completed')
  expect(await reviews.next(toReviewer('cy', changed))).toEqual({ item: undefined, openCount: 0 })
  await expect(reviews.mark(toReviewer('cy', changed), item?.id ?? '', 'completed')).rejects.toMatchObject({
    problems: [{ type: 'item_completed' }],
  })
})

test('a review that began before a queue was changed to more reviews leaves its item open', async () => {
  const { queue, reviews, toReviewer, change } = await prepare('more')
  const before = { ...queue, reviews_per_item: 1 }
  const { item } = await reviews.next(toReviewer('ann', before))
  const changed = await change(2)
  await reviews.next(toReviewer('bob', changed))
  await reviews.mark(toReviewer('ann', before), item?.id ?? '', 'completed')
  expect((await reviews.next(toReviewer('bob', changed))).item?.id).toBe(item?.id)
})
