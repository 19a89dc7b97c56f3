import { JsonText } from '../../src/service/lib/json-text'
import { KeyedMutex } from '../../src/service/lib/keyed-mutex'
import { LastValues } from '../../src/service/lib/last-values'
import { ItemReviews } from '../../src/service/queues/item-reviews'
import { QueueStatsReader } from '../../src/service/queues/queue-stats'
import { findStoredQueue, insertQueue, type StoredQueue } from '../../src/service/queues/queue-store'
import { readResults, type ResultSummary } from '../../src/service/queues/read-results'
import type { Store } from '../../src/service/store/store'
import { fillQueue } from '../fill-queue'
import { median, report } from './report'

const projectId = 'bench/queues'
const itemCount = 10_000
const reviewsPerItem = 5
const queueCount = 200
const annotatorCount = 20
const itemsPerAnnotator = 15

const toReader = (user: string) => ({ signal: new AbortController().signal, share: { user, projectId } })
const spec = new JsonText(JSON.stringify({ _class_name: 'AnnotationSpec', field_schema: { type: 'integer' } }))
const readRefs = async (_: string, refs: readonly string[]) => refs.map(() => spec)

async function createQueue(store: Store, id: string): Promise<StoredQueue> {
  const fields = {
    project_id: projectId,
    name: id,
    description: '',
    scorer_refs: [],
    reviews_per_item: reviewsPerItem,
    assignees: [],
  }
  await insertQueue(store, { ...fields, id, createdBy: 'bench', idempotencyKey: '', requestDigest: '' }, Date.now(), {})
  const queue = await findStoredQueue(store, projectId, id, {})
  if (!queue) throw new Error('The queue was not stored.')
  return queue
}

async function measureMs(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await run()
  return performance.now() - startedAt
}

async function medianMs(runs: number, run: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < runs; index += 1) times.push(await measureMs(run))
  return median(times)
}

/** A queue of 10,000 items, five reviews and three scorers each: the next item, its counts, its results, and twenty people at once. */
export async function benchQueues(store: Store): Promise<boolean> {
  const queue = await createQueue(store, 'large')
  // Nine items of ten are judged.
  await fillQueue(store, queue, { itemCount, reviewedCount: 0.9 * itemCount, reviewsPerItem, scorerCount: 3 })
  const others = [queue]
  for (let index = 1; index < queueCount; index += 1) others.push(await createQueue(store, `queue-${index}`))
  const deps = { store, clock: () => Date.now(), processClock: () => performance.now(), mutex: new KeyedMutex(), readRefs }
  const reviews = new ItemReviews(deps)
  const toReviewer = (annotator: string) => ({ queue, annotator, reader: toReader(annotator) })
  const reader = toReader('bench')

  const firstNext = await measureMs(() => reviews.next(toReviewer('ann')))
  const next = await medianMs(15, () => reviews.next(toReviewer('ann')))
  const results = async (summaries: LastValues<ResultSummary>) =>
    readResults({ store, readRefs, summaries }, queue, { limit: 50 }, await reviews.now(), reader)
  const coldResults = await medianMs(5, () => results(new LastValues(1e6)))
  const known = new LastValues<ResultSummary>(1e6)
  await results(known)
  const warmResults = await medianMs(9, () => results(known))
  const asked = { queues: others, annotator: 'ann' }
  const coldStats = await medianMs(5, async () => new QueueStatsReader(store).read(projectId, asked, await reviews.now(), reader))
  const stats = new QueueStatsReader(store)
  const warmStats = await medianMs(9, async () => stats.read(projectId, asked, await reviews.now(), reader))

  const times: number[] = []
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: annotatorCount }, async (_, index) => {
      const reviewer = toReviewer(`annotator-${index}`)
      for (let count = 0; count < itemsPerAnnotator; count += 1) {
        const askedAt = performance.now()
        const { item } = await reviews.next(reviewer)
        times.push(performance.now() - askedAt)
        if (!item) throw new Error('The queue has items, and nobody got one.')
        await reviews.mark(reviewer, item.id, 'completed')
      }
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  const sorted = times.toSorted((left, right) => left - right)
  return report(`Annotation queues: ${itemCount.toLocaleString('en')} items, ${reviewsPerItem} reviews, 3 scorers`, [
    { name: 'the next item, the first time', value: firstNext, unit: 'ms' },
    { name: 'the next item', value: next, unit: 'ms', target: { max: 50 } },
    { name: 'results with a page of 50 items', value: coldResults, unit: 'ms', target: { max: 1000 } },
    { name: 'the same again', value: warmResults, unit: 'ms', target: { max: 200 } },
    { name: 'progress of 200 queues', value: coldStats, unit: 'ms' },
    { name: 'the same again', value: warmStats, unit: 'ms', target: { max: 200 } },
    { name: '20 annotators at once', value: times.length / seconds, unit: 'items/s', target: { min: 10 } },
    { name: 'their next item, p99', value: sorted[Math.floor(sorted.length * 0.99)] ?? 0, unit: 'ms', target: { max: 2500 } },
  ])
}
