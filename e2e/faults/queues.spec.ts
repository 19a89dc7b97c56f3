import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'playwright/test'
import { killService } from '../bench/service-process'
import { SpoolClient } from '../spool-client'
import { SpoolService } from '../spool-service'
import { toCallStart } from '../to-call-start'
import { fault } from './fault'

const project_id = 'queues/load'
const people = Array.from({ length: 20 }, (_, index) => `reviewer${index}`)
const itemCount = 150
const reviewsPerItem = 2

let folder = ''
let service: SpoolService

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'spool-queues-'))
  chmodSync(folder, 0o700)
  const users = ['admin', ...people].map((username) => ({ username, password: `${username}-secret`, projects: '*' }))
  writeFileSync(join(folder, 'users.json'), JSON.stringify(users), { mode: 0o600 })
  service = await start()
})
test.afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

function start(): Promise<SpoolService> {
  return SpoolService.start({ SPOOL_DATA: folder, SPOOL_SAMPLE: 'off', SPOOL_LOG_LEVEL: 'error' })
}

type Lease = { item: { id: string; call_id: string } | null; lease_expires_at?: string; open_count: number }
type Outcome = { status: number; body: unknown }

/** Sends until the service replies: while it is killed and starts again there is none. */
async function post(username: string, path: string, fields: object): Promise<Outcome> {
  for (;;) {
    try {
      const client = new SpoolClient(service.url, username, `${username}-secret`)
      const response = await client.post(path, { project_id, ...fields }, {}, AbortSignal.timeout(30_000))
      const body: unknown = await response.json()
      if (response.status < 429) return { status: response.status, body }
    } catch {
      // killed, or not started yet
    }
    await wait(200)
  }
}

async function postOk<Body>(username: string, path: string, fields: object): Promise<Body> {
  const { status, body } = await post(username, path, fields)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as Body
}

async function writeCalls(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => (index + 1).toString(16).padStart(16, '0'))
  for (let first = 0; first < count; first += 1000) {
    const batch = ids.slice(first, first + 1000).map((id) => toCallStart(project_id, id))
    await postOk('admin', '/call/upsert_batch', { batch })
  }
  return ids
}

/** When each person was told to have which item: from the reply until the next request for it was sent. */
type Held = { item: string; person: string; fromMs: number; toMs: number }

fault(
  `kill -9 while 20 people review ${itemCount} calls, each for two of them`,
  'no call is judged by more or fewer people than asked for, none is lost, and none is given to two at once',
  async () => {
    test.setTimeout(900_000)
    const callIds = await writeCalls(itemCount)
    const { digest } = await postOk<{ digest: string }>('admin', '/obj/create', {
      obj: { project_id, object_id: 'good', val: { field_schema: { type: 'boolean' } }, builtin_object_class: 'AnnotationSpec' },
    })
    const ref = `weave:///${project_id}/object/good:${digest}`
    const queue = { name: 'load', scorer_refs: [ref], reviews_per_item: reviewsPerItem }
    const { id } = await postOk<{ id: string }>('admin', '/annotation_queues', queue)
    const path = `/annotation_queues/${id}`
    const added = await postOk<object>('admin', `${path}/items`, { call_ids: callIds, display_fields: [] })
    expect(added).toEqual({ added_count: itemCount, duplicates: 0, unknown_call_ids: [] })

    const held: Held[] = []
    let completedCount = 0
    const review = async (person: string) => {
      for (;;) {
        const { item, open_count: openCount } = await postOk<Lease>(person, `${path}/next`, {})
        if (!item && openCount === 0) return
        if (!item) {
          await wait(100)
          continue
        }
        const hold = { item: item.id, person, fromMs: performance.now(), toMs: 0 }
        held.push(hold)
        await postOk(person, '/feedback/create', {
          weave_ref: `weave:///${project_id}/call/${item.call_id}`,
          feedback_type: 'wandb.annotation.good',
          annotation_ref: ref,
          payload: { value: true },
          queue_id: id,
        })
        hold.toMs = performance.now()
        await postOk(person, `${path}/items/${item.id}/progress`, { annotation_state: 'completed' })
        completedCount += 1
      }
    }
    const reviewing = Promise.all(people.map(review))
    for (const share of [0.2, 0.6]) {
      await expect
        .poll(() => completedCount, { timeout: 600_000, intervals: [100] })
        .toBeGreaterThan(share * itemCount * reviewsPerItem)
      await killService(service)
      service = await start()
    }
    await reviewing

    type Item = { id: string; annotation_state: string; reviews: { annotator: string; state: string }[] }
    const { items } = await postOk<{ items: Item[] }>('admin', `${path}/items/query`, {})
    const wrong = items.filter(({ reviews, annotation_state: state }) => {
      const names = new Set(reviews.map(({ annotator }) => annotator))
      return state !== 'completed' || reviews.length !== reviewsPerItem || names.size !== reviewsPerItem
    })
    expect([items.length, wrong]).toEqual([itemCount, []])
    type Results = { completed_items: number; scorers: { answer_count: number; item_count: number }[] }
    const results = await postOk<Results>('admin', `${path}/results`, { limit: 0 })
    expect(results).toMatchObject({
      completed_items: itemCount,
      scorers: [{ answer_count: itemCount * reviewsPerItem, item_count: itemCount }],
    })
    expect(findOverlaps(held)).toEqual([])
  },
)

/** Items that two people had at the same time. */
function findOverlaps(held: readonly Held[]): Held[][] {
  const byItem = new Map<string, Held[]>()
  for (const hold of held) byItem.set(hold.item, [...(byItem.get(hold.item) ?? []), hold])
  return [...byItem.values()].flatMap((ofItem) => {
    const sorted = ofItem.toSorted((left, right) => left.fromMs - right.fromMs)
    return sorted.slice(1).flatMap((hold, index) => {
      const before = sorted[index]
      return before && before.person !== hold.person && hold.fromMs < before.toMs ? [[before, hold]] : []
    })
  })
}

fault('200 queues with 20,000 items and reviews', 'a page of them with the progress of each takes two requests', async () => {
  const callIds = await writeCalls(100)
  const queueIds: string[] = []
  for (let index = 0; index < 200; index += 1) {
    const { id } = await postOk<{ id: string }>('admin', '/annotation_queues', { name: `page ${index}`, scorer_refs: [] })
    queueIds.push(id)
    await postOk('admin', `/annotation_queues/${id}/items`, { call_ids: callIds, display_fields: [] })
  }
  const [first = ''] = queueIds
  const { item } = await postOk<Lease>('admin', `/annotation_queues/${first}/next`, {})
  await postOk('admin', `/annotation_queues/${first}/items/${item?.id}/progress`, { annotation_state: 'completed' })
  const client = new SpoolClient(service.url, 'admin', 'admin-secret')
  const page = await client.postLines('/annotation_queues/query', { project_id, limit: 200 })
  type Stats = { stats: { queue_id: string; total_items: number; completed_items: number }[] }
  const { stats } = await postOk<Stats>('admin', '/annotation_queues/stats', { queue_ids: page.map(({ id }) => id) })
  expect(stats).toHaveLength(200)
  expect(stats.find(({ queue_id: id }) => id === first)).toMatchObject({ total_items: 100, completed_items: 1 })
  expect(stats.every(({ total_items: total }) => total === 100)).toBe(true)
})
