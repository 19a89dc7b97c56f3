import { JsonText } from '../../src/service/lib/json-text'
import { KeyedMutex } from '../../src/service/lib/keyed-mutex'
import { LastValues } from '../../src/service/lib/last-values'
import { ItemReviews } from '../../src/service/queues/item-reviews'
import { toItemId } from '../../src/service/queues/item-store'
import { QueueStatsReader } from '../../src/service/queues/queue-stats'
import { findStoredQueue, insertQueue, type StoredQueue } from '../../src/service/queues/queue-store'
import { readResults, type ResultSummary } from '../../src/service/queues/read-results'
import { microsecondsToEngineTime } from '../../src/service/store/engine-time'
import { sql, uint64 } from '../../src/service/store/sql'
import type { Store } from '../../src/service/store/store'
import { median, report } from './report'

const projectId = 'bench/queues'
const itemCount = 10_000
const reviewedCount = 9000
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

/** Nine items of ten are judged by five people each for three scorers; one in ten of them differently. */
async function fill(store: Store, { id: queueId }: StoredQueue): Promise<void> {
  const rows = Array.from({ length: itemCount }, (_, index) => {
    const callId = index.toString(16).padStart(16, '0')
    const time = microsecondsToEngineTime(Date.UTC(2026, 0, 1) * 1000 + index)
    const call = { call_id: callId, call_started_at: time, call_op_name: 'answer', call_trace_id: callId }
    return {
      project_id: projectId,
      queue_id: queueId,
      id: toItemId(queueId, callId),
      ...call,
      added_by: 'bench',
      created_at: time,
      version: 1,
    }
  })
  for (let start = 0; start < itemCount; start += 1000) await store.insert('queue_items', rows.slice(start, start + 1000))
  const reviewed = sql`(SELECT id, call_id, row_number() OVER (ORDER BY created_at) AS position FROM queue_items
    WHERE project_id = ${projectId} AND queue_id = ${queueId} ORDER BY position LIMIT ${uint64(reviewedCount)}) AS items
  CROSS JOIN (SELECT number FROM numbers(${uint64(reviewsPerItem)})) AS people`
  await store.command(sql`INSERT INTO queue_marks (project_id, queue_id, item_id, call_id, annotator, state, marked_at)
SELECT ${projectId}, ${queueId}, id, call_id, concat('p', toString(number)), 'completed', toDateTime64('2026-01-02 00:00:00', 6, 'UTC') FROM ${reviewed}`)
  await store.command(sql`INSERT INTO queue_answers
  (project_id, queue_id, call_id, scorer, annotator, id, annotation_ref, value, created_at, version)
SELECT ${projectId}, ${queueId}, call_id, concat('s', toString(scorer)), concat('p', toString(number)), toString(generateUUIDv4()),
  concat('weave:///bench/queues/object/s', toString(scorer), ':1'), toString(position % 5 + (number = 4 AND position % 10 = 0)), now64(6), 1
FROM ${reviewed} CROSS JOIN (SELECT number AS scorer FROM numbers(3)) AS scorers`)
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
  await fill(store, queue)
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
