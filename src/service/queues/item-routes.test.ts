import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { QueueStats } from '../../contract/queue-items'
import { administrator, openTestApp, reviewer, type TestApp } from '../testing/test-app'
import { QueueClient, toPeople } from './testing/queue-client'

const [ann, bob, cy, dee] = toPeople('ann', 'bob', 'cy', 'dee') as [Person, Person, Person, Person] // four names make four people
type Person = ReturnType<typeof toPeople>[number]
const minuteMs = 60_000

let service: TestApp
let client: QueueClient
let projectCount = 0
beforeAll(async () => {
  service = await openTestApp({ moreUsers: [ann, bob, cy, dee] })
})
beforeEach(() => {
  client = new QueueClient(service, `acme/items${(projectCount += 1)}`)
})
afterAll(() => service.close())

test('calls are added to a queue, given to people one by one, and their progress is counted', async () => {
  const queueId = await client.createQueue()
  const callIds = await client.writeCalls(2)
  expect(await client.add(queueId, callIds)).toEqual({ added_count: 2, duplicates: 0, unknown_call_ids: [] })
  const first = await client.next(queueId, ann)
  expect(first).toMatchObject({ item: { call_id: callIds[0], lease: { annotator: 'ann' } }, open_count: 2 })
  expect((await client.mark(queueId, first.item?.id ?? '', 'completed', ann)).body.item.annotation_state).toBe('completed')
  expect(await client.stats(queueId)).toEqual([[queueId, 2, 1]])
  const second = await client.next(queueId, ann)
  expect(second.item?.call_id).toBe(callIds[1])
  await client.mark(queueId, second.item?.id ?? '', 'skipped', ann)
  expect(await client.next(queueId, ann)).toEqual({ item: null, open_count: 0 })
  expect(await client.stats(queueId)).toEqual([[queueId, 2, 2]])
})

describe('POST /annotation_queues/{id}/items', () => {
  test('an item has the call as it was added, in the order of the request', async () => {
    const queueId = await client.createQueue()
    const [one = '', two = '', three = ''] = await client.writeCalls(3)
    await client.add(queueId, [three, one, two], { display_fields: ['inputs.question', 'output'] })
    const [first, ...others] = await client.items(queueId)
    expect(first).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/) as string,
      project_id: client.projectId,
      queue_id: queueId,
      call_id: three,
      call_started_at: '2026-01-01T00:00:02Z',
      call_ended_at: '2026-01-01T00:00:02Z',
      call_op_name: 'answer',
      call_trace_id: three + three,
      display_fields: ['inputs.question', 'output'],
      added_by: 'admin',
      annotation_state: 'unstarted',
      annotator_user_id: null,
      created_at: expect.stringMatching(/Z$/) as string,
      created_by: 'admin',
      updated_at: first?.created_at,
      deleted_at: null,
      position_in_queue: null,
      reviews: [],
      required_reviews: 1,
      lease: null,
    })
    expect(others.map(({ call_id: id }) => id)).toEqual([one, two])
  })

  test('nothing is in a queue twice: not when it is named twice, sent again, sent at once or after a restart', async () => {
    const queueId = await client.createQueue()
    const callIds = await client.writeCalls(20)
    const [first = ''] = callIds
    expect(await client.add(queueId, [first, first])).toMatchObject({ added_count: 1, duplicates: 1 })
    const replies = await Promise.all([1, 2, 3, 4].map(() => client.add(queueId, callIds)))
    expect(replies.map(({ added_count: added }) => added).toSorted((left, right) => left - right)).toEqual([0, 0, 0, 19])
    await service.restart()
    expect(await client.add(queueId, callIds)).toEqual({ added_count: 0, duplicates: 20, unknown_call_ids: [] })
    expect((await client.items(queueId)).map(({ call_id: id }) => id)).toEqual(callIds)
    const other = await client.createQueue()
    expect(await client.add(other, [first])).toMatchObject({ added_count: 1 })
  })

  test('calls that the project does not have are named, and the others are added', async () => {
    const queueId = await client.createQueue()
    const [known = ''] = await client.writeCalls(1)
    await new QueueClient(service, 'acme/elsewhere').writeCalls(3)
    const callIds = ['00000000000000ff', known, '0000000000000002']
    expect(await client.add(queueId, callIds)).toEqual({
      added_count: 1,
      duplicates: 0,
      unknown_call_ids: ['00000000000000ff', '0000000000000002'],
    })
  })

  test('what is added later comes last, also when the clock was set back', async () => {
    const queueId = await client.createQueue()
    const [one = '', two = ''] = await client.writeCalls(2)
    await client.add(queueId, [two])
    service.clock.offsetMs = -60 * minuteMs
    await client.add(queueId, [one])
    service.clock.offsetMs = 0
    expect((await client.items(queueId)).map(({ call_id: id }) => id)).toEqual([two, one])
  })

  test('the item of a deleted call is gone', async () => {
    const queueId = await client.createQueue()
    const [one = '', two = ''] = await client.writeCalls(2)
    await client.add(queueId, [one, two])
    await client.get('/calls/delete', { call_ids: [one] })
    expect((await client.items(queueId)).map(({ call_id: id }) => id)).toEqual([two])
    expect(await client.stats(queueId)).toEqual([[queueId, 1, 0]])
    expect((await client.next(queueId, ann)).item?.call_id).toBe(two)
  })

  test.each([
    ['no calls', { display_fields: [] }, ['missing']],
    ['no display fields', { call_ids: [] }, ['missing']],
    ['an id that is no text', { call_ids: [1], display_fields: [] }, ['string_type']],
    ['too many calls', { call_ids: Array(10_001).fill('x'), display_fields: [] }, ['too_long']],
    ['too many display fields', { call_ids: [], display_fields: Array(21).fill('x') }, ['too_long']],
    ['an unknown field', { call_ids: [], display_fields: [], queue: 'q' }, ['extra_forbidden']],
  ])('rejects %s', async (_, fields, types) => {
    const queueId = await client.createQueue()
    expect(await client.send(`/annotation_queues/${queueId}/items`, fields)).toMatchObject({ status: 422, types })
  })
})

describe('POST /annotation_queues/{id}/items/query', () => {
  test('filters by call, adder and state, with positions in the whole queue', async () => {
    const queueId = await client.createQueue()
    const [one = '', two = '', three = ''] = await client.writeCalls(3)
    await client.add(queueId, [one, two, three])
    const [first, second] = await client.items(queueId)
    await client.mark(queueId, first?.id ?? '', 'completed', ann)
    await client.mark(queueId, second?.id ?? '', 'in_progress', bob)
    const found = async (fields: object) =>
      (await client.items(queueId, { include_position: true, ...fields })).map((item) => [item.call_id, item.position_in_queue])
    expect(await found({})).toEqual([
      [one, 1],
      [two, 2],
      [three, 3],
    ])
    expect(await found({ filter: { annotation_states: ['unstarted', 'in_progress'] } })).toEqual([
      [two, 2],
      [three, 3],
    ])
    expect(await found({ filter: { call_id: three } })).toEqual([[three, 3]])
    expect(await found({ filter: { id: second?.id } })).toEqual([[two, 2]])
    expect(await found({ filter: { call_trace_id: one + one, call_op_name: 'answer', added_by: 'admin' } })).toEqual([[one, 1]])
    expect(await found({ filter: { added_by: 'ann' } })).toEqual([])
    expect(await found({ sort_by: [{ field: 'call_started_at', direction: 'desc' }], limit: 2 })).toEqual([
      [three, 1],
      [two, 2],
    ])
    expect(await found({ sort_by: [{ field: 'updated_at', direction: 'desc' }], limit: 1 })).toEqual([[two, 1]])
    expect(await found({ limit: 1, offset: 1 })).toEqual([[two, 2]])
    expect(await found({ limit: 0 })).toEqual([])
  })

  test('filters by who reviewed or has an item, and by whether its reviewers disagreed', async () => {
    const queueId = await client.createQueue({ reviews_per_item: 2 })
    const tone = await client.createSpec('tone', { type: 'boolean' })
    await client.add(queueId, await client.writeCalls(3))
    const [disputed, agreed, held] = await client.items(queueId)
    if (!disputed || !agreed || !held) throw new Error('The queue has no items.')
    for (const [person, answer] of [
      [ann, true],
      [bob, false],
    ] as const) {
      await client.review(queueId, disputed, { [tone]: answer }, person)
      await client.review(queueId, agreed, { [tone]: true }, person)
    }
    await client.mark(queueId, held.id, 'skipped', ann)
    await client.lease(queueId, held.id, cy)
    const found = async (filter: object) => (await client.items(queueId, { filter })).map(({ id }) => id)
    expect(await found({ annotator: 'ann' })).toEqual([disputed.id, agreed.id, held.id])
    expect(await found({ completed_by: 'ann' })).toEqual([disputed.id, agreed.id])
    expect(await found({ annotator: 'cy' })).toEqual([held.id])
    expect(await found({ annotator: 'dee' })).toEqual([])
    expect(await found({ has_disagreement: true })).toEqual([disputed.id])
    expect(await found({ has_disagreement: false, annotator: 'bob' })).toEqual([agreed.id])
  })

  test.each([
    [{ filter: { has_disagreement: 1 } }, 'bool_type'],
    [{ filter: { state: 'x' } }, 'extra_forbidden'],
    [{ filter: { annotation_states: ['done'] } }, 'literal_error'],
    [{ sort_by: [{ field: 'id', direction: 'asc' }] }, 'literal_error'],
    [{ limit: -1 }, 'greater_than_equal'],
    [{ include_position: 1 }, 'bool_type'],
  ])('rejects %j', async (fields, type) => {
    const queueId = await client.createQueue()
    expect(await client.send(`/annotation_queues/${queueId}/items/query`, fields)).toMatchObject({ status: 422, types: [type] })
  })
})

describe('POST /annotation_queues/{id}/items/{item_id}/progress', () => {
  async function prepare(fields: object = {}) {
    const queueId = await client.createQueue(fields)
    await client.add(queueId, await client.writeCalls(1))
    const [item] = await client.items(queueId)
    const itemId = item?.id ?? ''
    return { queueId, itemId, mark: (state: string, user: Person) => client.mark(queueId, itemId, state, user) }
  }

  test('unstarted may become everything, in_progress completed or skipped, and these two nothing else', async () => {
    const states = ['unstarted', 'in_progress', 'completed', 'skipped']
    const statuses = {
      unstarted: [200, 200, 200, 200],
      in_progress: [409, 200, 200, 200],
      completed: [409, 409, 200, 409],
      skipped: [409, 409, 409, 200],
    }
    const queueId = await client.createQueue()
    await client.add(queueId, await client.writeCalls(16))
    const items = (await client.items(queueId)).map(({ id }) => id)
    for (const [from, expected] of Object.entries(statuses)) {
      for (const [index, to] of states.entries()) {
        const itemId = items.pop() ?? ''
        if (from !== 'unstarted') expect((await client.mark(queueId, itemId, from, ann)).status).toBe(200)
        const { status, body, types } = await client.mark(queueId, itemId, to, ann)
        expect([from, to, status]).toEqual([from, to, expected[index]])
        if (status === 200) expect(body.item.annotation_state).toBe(to)
        else expect(types).toEqual(['wrong_state'])
      }
    }
  })

  test('an unknown state is 422, an unknown item, queue or project 404 or 403', async () => {
    const { queueId, itemId, mark } = await prepare()
    expect(await mark('done', ann)).toMatchObject({ status: 422, types: ['literal_error'] })
    expect((await client.mark(queueId, 'none', 'completed', ann)).status).toBe(404)
    expect((await client.mark('none', itemId, 'completed', ann)).status).toBe(404)
    const other = await prepare()
    expect((await client.mark(queueId, other.itemId, 'completed', ann)).status).toBe(404)
    expect((await client.mark(queueId, itemId, 'completed', reviewer as never)).status).toBe(403)
    await service.send(`/annotation_queues/${queueId}?project_id=${client.projectId}`, { method: 'DELETE' })
    expect((await mark('completed', ann)).status).toBe(404)
  })

  test('the state survives a restart, and so does who did it', async () => {
    const { queueId, mark } = await prepare()
    await mark('in_progress', ann)
    await mark('completed', ann)
    await service.restart()
    const [item] = await client.items(queueId)
    expect(item).toMatchObject({
      annotation_state: 'completed',
      annotator_user_id: 'ann',
      reviews: [{ annotator: 'ann', state: 'completed' }],
    })
    expect(item && item.updated_at > item.created_at).toBe(true)
    expect(await mark('in_progress', ann)).toMatchObject({ status: 409 })
  })

  test('an item is not judged by more people than asked for, nor by one while another has it', async () => {
    const { queueId, itemId, mark } = await prepare()
    await mark('in_progress', ann)
    expect(await mark('completed', bob)).toMatchObject({ status: 409, types: ['item_leased'] })
    expect(await client.lease(queueId, itemId, bob)).toMatchObject({ status: 409, types: ['item_leased'] })
    service.clock.offsetMs += 11 * minuteMs
    expect((await mark('completed', bob)).status).toBe(200)
    expect(await mark('completed', ann)).toMatchObject({ status: 409, types: ['item_completed'] })
    expect(await mark('completed', bob)).toMatchObject({ status: 200 })
  })

  test('of two who complete at once one is refused', async () => {
    const { queueId, mark } = await prepare()
    const replies = await Promise.all([ann, bob, cy, dee].map((person) => mark('completed', person)))
    expect(replies.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([200, 409, 409, 409])
    expect((await client.items(queueId))[0]?.reviews).toHaveLength(1)
  })

  test('an item that everybody skipped is closed, and who changes their mind may still judge it', async () => {
    const { queueId, itemId, mark } = await prepare({ reviews_per_item: 2 })
    expect((await mark('skipped', ann)).body.item.annotation_state).toBe('in_progress')
    expect((await mark('skipped', bob)).body.item.annotation_state).toBe('skipped')
    expect(await client.stats(queueId)).toEqual([[queueId, 1, 1]])
    expect(await client.next(queueId, cy)).toMatchObject({ item: null, open_count: 0 })
    await mark('completed', cy)
    expect((await client.lease(queueId, itemId, dee)).status).toBe(200)
    expect((await mark('completed', dee)).body.item.annotation_state).toBe('completed')
  })
})

describe('POST /annotation_queues/{id}/next', () => {
  async function prepare(callCount: number, fields: object = {}): Promise<string> {
    const queueId = await client.createQueue(fields)
    await client.add(queueId, await client.writeCalls(callCount))
    return queueId
  }

  test('people who ask at once get different items, and each gets theirs again', async () => {
    const queueId = await prepare(3)
    const people = [ann, bob, cy, dee]
    const replies = await Promise.all(people.map((person) => client.next(queueId, person)))
    const ids = replies.flatMap(({ item }) => item?.id ?? [])
    expect(new Set(ids).size).toBe(3)
    const without = people.filter((_, index) => replies[index]?.item === null)
    expect(without).toHaveLength(1)
    expect(await client.next(queueId, without[0] ?? ann)).toEqual({ item: null, open_count: 3 })
    await service.restart()
    for (const [index, person] of people.entries()) {
      expect((await client.next(queueId, person)).item?.id).toBe(replies[index]?.item?.id)
    }
  })

  test('a lease ends after ten minutes, unless it is renewed', async () => {
    const queueId = await prepare(1)
    const { item, lease_expires_at: expiresAt = '' } = await client.next(queueId, ann)
    expect(Date.parse(expiresAt) - service.clock.now()).toBeGreaterThan(9 * minuteMs)
    expect(item?.lease).toEqual({ annotator: 'ann', expires_at: expiresAt })
    service.clock.offsetMs += 9 * minuteMs
    const renewed = await client.lease(queueId, item?.id ?? '', ann)
    expect(Date.parse(renewed.body.lease_expires_at) - Date.parse(expiresAt)).toBeGreaterThanOrEqual(9 * minuteMs)
    service.clock.offsetMs += 9 * minuteMs
    expect((await client.next(queueId, bob)).item).toBeNull()
    service.clock.offsetMs += 2 * minuteMs
    expect((await client.items(queueId))[0]).toMatchObject({ lease: null, annotation_state: 'unstarted' })
    expect((await client.next(queueId, bob)).item?.id).toBe(item?.id)
    expect((await client.lease(queueId, item?.id ?? '', ann)).types).toEqual(['item_leased'])
  })

  test('a lease holds while the clock is set back, also over a restart', async () => {
    const queueId = await prepare(1)
    await client.next(queueId, ann)
    service.clock.offsetMs -= 60 * minuteMs
    expect((await client.next(queueId, bob)).item).toBeNull()
    await service.restart()
    const { item, lease_expires_at: expiresAt = '' } = await client.next(queueId, ann)
    expect(Date.parse(expiresAt) - service.clock.now()).toBeGreaterThan(60 * minuteMs)
    service.clock.offsetMs += 60 * minuteMs
    expect((await client.mark(queueId, item?.id ?? '', 'completed', ann)).status).toBe(200)
  })

  test('a person never gets an item that they judged or skipped', async () => {
    const queueId = await prepare(2, { reviews_per_item: 3 })
    const seen: unknown[] = []
    for (const state of ['completed', 'skipped']) {
      const { item } = await client.next(queueId, ann)
      seen.push(item?.id)
      await client.mark(queueId, item?.id ?? '', state, ann)
      expect(await client.lease(queueId, item?.id ?? '', ann)).toMatchObject({ status: 409, types: ['already_reviewed'] })
    }
    expect(new Set(seen).size).toBe(2)
    expect(await client.next(queueId, ann)).toEqual({ item: null, open_count: 0 })
  })

  test('a skip is taken back: the item is theirs again, and it counts as if they had not skipped it', async () => {
    const queueId = await prepare(2)
    const [first, second] = (await client.items(queueId)).map(({ id }) => id) as [string, string] // two were added
    const undo = { undo_skip: true }
    expect((await client.mark(queueId, first, 'skipped', ann)).body.item.annotation_state).toBe('skipped')
    expect((await client.results(queueId)).skipped_items).toBe(1)
    const { status, body } = await client.lease(queueId, first, ann, undo)
    expect(status).toBe(200)
    expect(body.item).toMatchObject({ annotation_state: 'in_progress', reviews: [], lease: { annotator: 'ann' } })
    expect(await client.stats(queueId)).toEqual([[queueId, 2, 0]])
    expect(await client.results(queueId)).toMatchObject({ skipped_items: 0, annotators: [] })
    expect(await client.next(queueId, ann)).toMatchObject({ item: { id: first }, open_count: 2 })
    expect((await client.next(queueId, bob)).item?.id).toBe(second)
    expect(await client.lease(queueId, first, bob)).toMatchObject({ status: 409, types: ['item_leased'] })

    // Again, over a restart, and then it is judged.
    expect((await client.mark(queueId, first, 'skipped', ann)).body.item.annotation_state).toBe('skipped')
    expect(await client.lease(queueId, first, ann)).toMatchObject({ status: 409, types: ['already_reviewed'] })
    await client.lease(queueId, first, ann, undo)
    await client.release(queueId, first, ann)
    await service.restart()
    expect((await client.items(queueId))[0]).toMatchObject({ annotation_state: 'unstarted', reviews: [] })
    expect((await client.mark(queueId, first, 'completed', ann)).body.item.reviews).toMatchObject([{ state: 'completed' }])
    expect(await client.lease(queueId, first, ann, undo)).toMatchObject({ status: 409, types: ['item_completed'] })
    expect((await client.results(queueId)).annotators).toMatchObject([{ annotator: 'ann', completed_count: 1, skipped_count: 0 }])
  })

  test('a skip of an item that somebody else has or has judged meanwhile stays', async () => {
    const queueId = await prepare(1, { reviews_per_item: 2 })
    const itemId = (await client.next(queueId, ann)).item?.id ?? ''
    await client.mark(queueId, itemId, 'skipped', ann)
    await client.next(queueId, bob)
    const undo = () => client.lease(queueId, itemId, ann, { undo_skip: true })
    expect(await undo()).toMatchObject({ status: 409, types: ['item_leased'] })
    for (const person of [bob, cy]) await client.mark(queueId, itemId, 'completed', person)
    expect(await undo()).toMatchObject({ status: 409, types: ['item_completed'] })
    expect((await client.items(queueId))[0]?.reviews).toContainEqual(
      expect.objectContaining({ annotator: 'ann', state: 'skipped' }),
    )
  })

  test('only assignees review, and an item that none of them has left is closed', async () => {
    const queueId = await prepare(1, { assignees: ['ann', 'bob'], reviews_per_item: 2 })
    expect(await client.send(`/annotation_queues/${queueId}/next`, {}, cy)).toMatchObject({
      status: 403,
      types: ['not_assigned'],
    })
    const [item] = await client.items(queueId)
    expect(await client.mark(queueId, item?.id ?? '', 'completed', cy)).toMatchObject({ status: 403 })
    await client.mark(queueId, item?.id ?? '', 'completed', ann)
    expect((await client.mark(queueId, item?.id ?? '', 'skipped', bob)).body.item.annotation_state).toBe('skipped')
  })

  test('an item whose reviewers disagree goes to one more person, and to no other', async () => {
    const queueId = await prepare(2, { reviews_per_item: 2 })
    const tone = await client.createSpec('tone', { type: 'string', enum: ['kind', 'rude'] })
    const note = await client.createSpec('note', { type: 'string' })
    const answers = (value: string, text: string) => ({ [tone]: value, [note]: text })
    const [disputed, agreed] = await client.items(queueId)
    if (!disputed || !agreed) throw new Error('The queue has no items.')
    await client.review(queueId, agreed, answers('kind', 'I like it'), ann)
    const done = await client.review(queueId, agreed, answers('kind', 'so do I'), bob)
    expect(done).toMatchObject({ annotation_state: 'completed', required_reviews: 2 })
    await client.review(queueId, disputed, answers('kind', ''), ann)
    const open = await client.review(queueId, disputed, answers('rude', ''), bob)
    expect(open).toMatchObject({ annotation_state: 'in_progress', required_reviews: 3 })
    for (const person of [ann, bob]) expect((await client.next(queueId, person)).item).toBeNull()
    const third = await client.next(queueId, cy)
    expect(third.item?.id).toBe(disputed.id)
    const closed = await client.review(queueId, disputed, answers('rude', ''), cy)
    expect(closed).toMatchObject({ annotation_state: 'completed', required_reviews: 3 })
    expect((await client.next(queueId, dee)).item).toBeNull()
    expect(await client.stats(queueId)).toEqual([[queueId, 2, 2]])
  })

  test('where nobody else is assigned, a disagreement stays', async () => {
    const queueId = await prepare(1, { reviews_per_item: 2, assignees: ['ann', 'bob'] })
    const good = await client.createSpec('good', { type: 'boolean' })
    const [item] = await client.items(queueId)
    if (!item) throw new Error('The queue has no items.')
    await client.review(queueId, item, { [good]: true }, ann)
    const done = await client.review(queueId, item, { [good]: false }, bob)
    expect(done).toMatchObject({ annotation_state: 'completed', required_reviews: 2 })
  })
})

test('stats are those of each queue that was asked for, in that order, unknown ones with zeros', async () => {
  const [one, two] = [await client.createQueue(), await client.createQueue()]
  const callIds = await client.writeCalls(3)
  await client.add(one, callIds)
  await client.add(two, callIds.slice(0, 1))
  const [item] = await client.items(two)
  await client.mark(two, item?.id ?? '', 'skipped', ann)
  expect(await client.stats(two, 'none', one, two)).toEqual([
    [two, 1, 1],
    ['none', 0, 0],
    [one, 3, 0],
    [two, 1, 1],
  ])
  expect(await client.stats()).toEqual([])
})

test('stats say what is open to the caller, who has an item, and how many items were closed on which day', async () => {
  const queueId = await client.createQueue({ reviews_per_item: 1, assignees: ['ann', 'bob'] })
  await client.add(queueId, await client.writeCalls(5))
  const [one, two, three, four] = await client.items(queueId)
  const read = async (user: Person) =>
    (await client.get<Stats>('/annotation_queues/stats', { queue_ids: [queueId] }, user)).stats[0]
  type Stats = { stats: QueueStats[] }
  const fresh = { active_annotators: [], closed_by_day: [0, 0, 0, 0, 0, 0, 0], first_closed_at: null }
  expect(await read(ann)).toEqual({
    queue_id: queueId,
    total_items: 5,
    completed_items: 0,
    open_count: 5,
    free_count: 5,
    review_count: 0,
    missing_review_count: 5,
    ...fresh,
  })
  await client.mark(queueId, one?.id ?? '', 'completed', ann)
  service.clock.offsetMs = 2.5 * 24 * 60 * minuteMs
  await client.mark(queueId, two?.id ?? '', 'completed', ann)
  await client.mark(queueId, three?.id ?? '', 'skipped', bob)
  await client.lease(queueId, four?.id ?? '', bob)
  const later = await read(ann)
  expect(later).toMatchObject({
    completed_items: 3,
    open_count: 2,
    free_count: 1,
    active_annotators: ['bob'],
    closed_by_day: [0, 0, 0, 0, 1, 0, 2],
  })
  expect(Date.parse(later?.first_closed_at ?? '')).toBeLessThan(Date.now() + 24 * 60 * minuteMs)
  expect(await read(bob)).toMatchObject({ open_count: 2, free_count: 2 })
  expect(await read(cy)).toMatchObject({ open_count: 0, free_count: 0 })
  service.clock.offsetMs = 30 * 24 * 60 * minuteMs
  expect(await read(bob)).toMatchObject({ completed_items: 3, active_annotators: [], closed_by_day: [0, 0, 0, 0, 0, 0, 0] })
  service.clock.offsetMs = 0
})

test('what a person has judged or skipped is not open to them, while others still have to', async () => {
  const queueId = await client.createQueue({ reviews_per_item: 2 })
  await client.add(queueId, await client.writeCalls(3))
  const [one, two] = await client.items(queueId)
  await client.mark(queueId, one?.id ?? '', 'completed', ann)
  await client.mark(queueId, two?.id ?? '', 'skipped', ann)
  const readOpen = async (user: Person) => {
    const { stats } = await client.get<{ stats: QueueStats[] }>('/annotation_queues/stats', { queue_ids: [queueId] }, user)
    const open = stats[0]?.open_count
    expect((await client.next(queueId, user)).open_count).toBe(open)
    return open
  }
  expect([await readOpen(ann), await readOpen(bob)]).toEqual([1, 3])
})

test('an item that somebody else has is not free, unless one has judged it already', async () => {
  const queueId = await client.createQueue({ reviews_per_item: 2 })
  await client.add(queueId, await client.writeCalls(2))
  const [one, two] = await client.items(queueId)
  await client.mark(queueId, one?.id ?? '', 'completed', ann)
  const readCounts = async (user: Person) => {
    const { stats } = await client.get<{ stats: QueueStats[] }>('/annotation_queues/stats', { queue_ids: [queueId] }, user)
    return [stats[0]?.open_count, stats[0]?.free_count]
  }
  await client.lease(queueId, one?.id ?? '', bob)
  expect([await readCounts(ann), await readCounts(bob), await readCounts(cy)]).toEqual([
    [1, 1],
    [2, 2],
    [2, 1],
  ])
  await client.lease(queueId, two?.id ?? '', cy)
  expect(await readCounts(ann)).toEqual([1, 0])
})

test('stats count reviews, and those that open items still need', async () => {
  const queueId = await client.createQueue({ reviews_per_item: 2 })
  const good = await client.createSpec('good', { type: 'boolean' })
  await client.add(queueId, await client.writeCalls(4))
  const [one, two, three] = await client.items(queueId)
  if (!one || !two || !three) throw new Error('The queue has too few items.')
  const readCounts = async () => {
    const { stats } = await client.get<{ stats: QueueStats[] }>('/annotation_queues/stats', { queue_ids: [queueId] })
    const [own] = stats
    return [own?.completed_items, own?.review_count, own?.missing_review_count]
  }
  expect(await readCounts()).toEqual([0, 0, 8])
  await client.review(queueId, one, { [good]: true }, ann)
  expect(await readCounts()).toEqual([0, 1, 7])
  // People disagree: the item needs one more.
  await client.review(queueId, one, { [good]: false }, bob)
  expect(await readCounts()).toEqual([0, 2, 7])
  await client.review(queueId, two, { [good]: true }, ann)
  await client.review(queueId, two, { [good]: true }, bob)
  expect(await readCounts()).toEqual([1, 4, 5])
  // An item that is closed because people skip it needs nothing more.
  await client.mark(queueId, three.id, 'skipped', ann)
  await client.mark(queueId, three.id, 'skipped', bob)
  expect(await readCounts()).toEqual([2, 4, 3])
})

test('nobody reviews an archived queue until it is unarchived', async () => {
  const queueId = await client.createQueue()
  await client.add(queueId, await client.writeCalls(1))
  const [item] = await client.items(queueId)
  const archive = async (archived: boolean) => {
    const init = { method: 'PUT', headers: { 'content-type': 'application/json' } }
    const body = JSON.stringify({ project_id: client.projectId, archived })
    expect((await service.send(`/annotation_queues/${queueId}`, { ...init, body })).status).toBe(200)
  }
  await archive(true)
  for (const [path, fields] of [
    ['next', {}],
    [`items/${item?.id}/lease`, {}],
    [`items/${item?.id}/progress`, { annotation_state: 'completed' }],
  ] as const) {
    const reply = await client.send(`/annotation_queues/${queueId}/${path}`, fields, ann)
    expect(reply).toMatchObject({ status: 409, types: ['queue_archived'] })
  }
  const { stats } = await client.get<{ stats: QueueStats[] }>('/annotation_queues/stats', { queue_ids: [queueId] })
  expect(stats[0]).toMatchObject({ total_items: 1, open_count: 0 })
  await archive(false)
  expect((await client.next(queueId, ann)).item?.id).toBe(item?.id)
})

test('every route of items needs credentials, a queue of this project, and its fields', async () => {
  const queueId = await client.createQueue()
  for (const path of ['items', 'items/query', 'items/x/progress', 'items/x/lease', 'items/x/release', 'next', 'results']) {
    const of = (id: string) => `/annotation_queues/${id}/${path}`
    expect((await service.app.request(of(queueId), { method: 'POST' })).status).toBe(401)
    const fields = { items: { call_ids: [], display_fields: [] }, 'items/x/progress': { annotation_state: 'completed' } }[path]
    expect((await client.send(of(queueId), { ...fields }, reviewer)).status).toBe(403)
    expect((await client.send(of(queueId), { ...fields, more: 1 })).status).toBe(422)
    const elsewhere = { ...fields, project_id: 'acme/elsewhere' }
    expect([path, (await client.send(of(queueId), elsewhere, administrator)).status]).toEqual([path, 404])
  }
})

test('none of this logged a failure', () => {
  expect(service.errorLog).toEqual([])
})
