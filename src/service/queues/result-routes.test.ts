import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../testing/test-app'
import { QueueClient, toPeople } from './testing/queue-client'

type Person = ReturnType<typeof toPeople>[number]
const people = toPeople('ann', 'bob', 'cy')
const [ann, bob, cy] = people as [Person, Person, Person] // three names make three people

let service: TestApp
let client: QueueClient
let projectCount = 0
beforeAll(async () => {
  service = await openTestApp({ moreUsers: people })
})
beforeEach(() => {
  client = new QueueClient(service, `acme/results${(projectCount += 1)}`)
})
afterAll(() => service.close())

async function prepare(itemCount: number, schemas: Readonly<Record<string, object>>, fields: object = {}) {
  const specs = await Promise.all(Object.entries(schemas).map(([name, schema]) => client.createSpec(name, schema)))
  const queueId = await client.createQueue({ scorer_refs: specs, ...fields })
  await client.add(queueId, await client.writeCalls(itemCount))
  return { queueId, specs, items: await client.items(queueId) }
}

const rating = { type: 'integer', minimum: 1, maximum: 5 }

test('results count the answers for each scorer, by value and by person', async () => {
  const { queueId, specs, items } = await prepare(3, { rating, note: { type: 'string' } })
  const [score = '', note = ''] = specs
  const [first, second] = items
  if (!first || !second) throw new Error('The queue has no items.')
  await client.review(queueId, first, { [score]: 5, [note]: 'fine' }, ann)
  await client.review(queueId, second, { [score]: 2 }, bob)
  const results = await client.results(queueId)
  expect(results).toMatchObject({ total_items: 3, completed_items: 2, skipped_items: 0, disagreed_items: 0 })
  // Nobody had leased these items before.
  expect(results.annotators).toMatchObject([
    { annotator: 'ann', completed_count: 1, skipped_count: 0, median_review_ms: null },
    { annotator: 'bob', completed_count: 1, skipped_count: 0, median_review_ms: null },
  ])
  expect(results.scorers).toEqual([
    {
      name: 'rating',
      kind: 'number',
      versions: [{ ref: score, answer_count: 2 }],
      answer_count: 2,
      item_count: 2,
      values: [
        { value: 2, count: 1 },
        { value: 5, count: 1 },
      ],
      mean: 3.5,
      median: 3.5,
      min: 2,
      max: 5,
      annotators: [
        { annotator: 'ann', answer_count: 1, values: [{ value: 5, count: 1 }], mean: 5 },
        { annotator: 'bob', answer_count: 1, values: [{ value: 2, count: 1 }], mean: 2 },
      ],
      agreement: null,
    },
    {
      name: 'note',
      kind: 'text',
      versions: [{ ref: note, answer_count: 1 }],
      answer_count: 1,
      item_count: 1,
      values: [],
      mean: null,
      median: null,
      min: null,
      max: null,
      annotators: [{ annotator: 'ann', answer_count: 1, values: [], mean: null }],
      agreement: null,
    },
  ])
  expect(results.items.map(({ item_id: id }) => id)).toEqual([first.id, second.id])
  expect(results.items[0]?.answers.map(({ scorer, annotator, value }) => [scorer, annotator, value]).toSorted()).toEqual([
    ['note', 'ann', 'fine'],
    ['rating', 'ann', 5],
  ])
})

test('pages by the id of a call have each item once while people go on judging', async () => {
  const { queueId, specs, items } = await prepare(5, { rating }, { reviews_per_item: 2 })
  const [score = ''] = specs
  for (const item of items) {
    await client.review(queueId, item, { [score]: 5 }, ann)
    await client.review(queueId, item, { [score]: 5 }, bob)
  }
  const read = async (afterCallId: string) =>
    (await client.results(queueId, { limit: 2, after_call_id: afterCallId })).items.map(({ call_id: id }) => id)
  const callIds = items.map(({ call_id: id }) => id).toSorted()
  expect(await read('')).toEqual(callIds.slice(0, 2))
  // Those that people disagree on are the first by offset.
  expect((await client.answer(queueId, callIds[4] ?? '', score, 1, ann)).status).toBe(200)
  expect((await client.results(queueId, { limit: 1 })).items[0]?.call_id).toBe(callIds[4])
  expect(await read(callIds[1] ?? '')).toEqual(callIds.slice(2, 4))
  expect(await read(callIds[3] ?? '')).toEqual(callIds.slice(4))
  expect(await read(callIds[4] ?? '')).toEqual([])
  // An id that is no longer there has a place among the others all the same.
  expect(await read(`${callIds[2]}a`)).toEqual(callIds.slice(3))
})

test('agreement is computed over items with several answers, and those that people disagree on come first', async () => {
  const { queueId, specs, items } = await prepare(3, { rating, good: { type: 'boolean' } }, { reviews_per_item: 2 })
  const [score = '', good = ''] = specs
  const answers: [number, boolean][][] = [
    [
      [4, true],
      [4, true],
    ],
    [
      [1, false],
      [1, false],
    ],
    [
      [5, true],
      [3, false],
    ],
  ]
  for (const [index, item] of items.entries()) {
    for (const [position, person] of [ann, bob].entries()) {
      const [stars, isGood] = answers[index]?.[position] ?? [0, false]
      await client.review(queueId, item, { [score]: stars, [good]: isGood }, person)
    }
  }
  const { scorers, items: found, disagreed_items: disagreed, completed_items: completed } = await client.results(queueId)
  expect([completed, disagreed]).toEqual([2, 1])
  const [ofRating, ofGood] = scorers
  expect(ofGood?.agreement?.item_count).toBe(3)
  expect(ofGood?.agreement?.percent).toBeCloseTo(66.667, 3)
  // Yes by ann for 2 of 3, by bob for 1 of 3: (2/3 - 4/9) / (1 - 4/9).
  expect(ofGood?.agreement?.cohens_kappa).toBeCloseTo(0.4, 9)
  expect(ofGood?.agreement?.krippendorffs_alpha).toEqual({
    nominal: expect.closeTo(0.4444, 4) as number,
    ordinal: null,
    interval: null,
  })
  // By hand: observed (5 - 3)^2 * 2 / 6, expected over all pairs of 4, 4, 1, 1, 5, 3.
  expect(ofRating?.agreement?.krippendorffs_alpha.interval).toBeCloseTo(1 - 8 / 6 / (168 / 30), 9)
  expect(found.map(({ item_id: id, disagreements }) => [id, disagreements])).toEqual([
    [items[2]?.id, ['good', 'rating']],
    [items[0]?.id, []],
    [items[1]?.id, []],
  ])
  expect(await client.results(queueId, { limit: 1, offset: 1 })).toMatchObject({
    items: [{ item_id: items[0]?.id }],
    disagreed_items: 1,
  })
  expect((await client.results(queueId, { limit: 0 })).items).toEqual([])
})

test('a correction counts once, in place of what it corrects, and the history stays', async () => {
  const { queueId, specs, items } = await prepare(1, { rating })
  const [score = ''] = specs
  const [item] = items
  if (!item) throw new Error('The queue has no items.')
  await client.review(queueId, item, { [score]: 1 }, ann)
  service.clock.offsetMs -= 60_000
  const { body } = await client.answer(queueId, item.call_id, score, 4, ann)
  service.clock.offsetMs += 60_000
  const { scorers, items: found } = await client.results(queueId)
  expect(scorers[0]).toMatchObject({ answer_count: 1, values: [{ value: 4, count: 1 }], mean: 4 })
  expect(found[0]?.answers).toMatchObject([{ value: 4, feedback_id: body.id, answer_count: 2 }])
  const history = await client.get<{ result: { payload: { value: number } }[] }>('/feedback/query', {})
  expect(new Set(history.result.map(({ payload }) => payload.value))).toEqual(new Set([1, 4]))
  // Without the correction the first answer counts again.
  const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: body.id }] } }
  await client.get('/feedback/purge', { query })
  expect((await client.results(queueId)).scorers[0]).toMatchObject({ mean: 1, answer_count: 1 })
})

test('only answers of people who completed the item count, in this queue', async () => {
  const { queueId, specs, items } = await prepare(1, { rating }, { reviews_per_item: 2 })
  const [score = ''] = specs
  const [item] = items
  if (!item) throw new Error('The queue has no items.')
  await client.answer(queueId, item.call_id, score, 1, bob)
  await client.answer(queueId, item.call_id, score, 2, cy)
  await client.mark(queueId, item.id, 'skipped', cy)
  const other = await client.createQueue()
  await client.answer(other, item.call_id, score, 3, ann)
  await client.review(queueId, item, { [score]: 5 }, ann)
  const results = await client.results(queueId)
  expect(results.scorers[0]).toMatchObject({ answer_count: 1, mean: 5 })
  expect(results.annotators).toMatchObject([
    { annotator: 'ann', completed_count: 1, skipped_count: 0 },
    { annotator: 'cy', completed_count: 0, skipped_count: 1 },
  ])
})

test('versions of a scorer are one scorer, and each is named; other scorers come after those of the queue', async () => {
  const { queueId, specs, items } = await prepare(2, { rating })
  const [old = ''] = specs
  const newer = await client.createSpec('rating', { type: 'integer', minimum: 0, maximum: 10 })
  const extra = await client.createSpec('extra', { type: 'boolean' })
  const [first, second] = items
  if (!first || !second) throw new Error('The queue has no items.')
  await client.review(queueId, first, { [old]: 5 }, ann)
  await client.review(queueId, second, { [newer]: 9, [extra]: true }, ann)
  const { scorers } = await client.results(queueId)
  expect(scorers.map(({ name, versions }) => [name, versions.map(({ ref }) => ref).toSorted()])).toEqual([
    ['rating', [old, newer].toSorted()],
    ['extra', [extra]],
  ])
})

test('a queue without answers has its scorers with zeros', async () => {
  const { queueId } = await prepare(0, { rating })
  expect(await client.results(queueId)).toMatchObject({
    total_items: 0,
    annotators: [],
    items: [],
    scorers: [{ name: 'rating', kind: 'number', answer_count: 0, mean: null, values: [], agreement: null }],
  })
})

test('results tell how long people take, in the middle, from when they get an item', async () => {
  const { queueId, specs } = await prepare(3, { rating })
  for (const minutes of [1, 2, 9]) {
    const { item } = await client.next(queueId, ann)
    if (!item) throw new Error('The queue has no open item.')
    service.clock.offsetMs += minutes * 60_000
    await client.review(queueId, item, { [specs[0] ?? '']: 3 }, ann)
  }
  const [own] = (await client.results(queueId)).annotators
  expect(own?.median_review_ms).toBeGreaterThanOrEqual(120_000)
  expect(own?.median_review_ms).toBeLessThan(180_000)
})

test('none of this logged a failure', () => {
  expect(service.errorLog).toEqual([])
})
