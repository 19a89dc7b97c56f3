import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright/test'
import { rebuildDerived } from '../src/service/derive/rebuild-derived'
import { findStoredQueue } from '../src/service/queues/queue-store'
import { openStore } from '../src/service/store/open-store'
import { fillQueue } from './fill-queue'
import { expect, test } from './fixtures'
import { measureLongestTask } from './longest-task'
import { SpoolClient } from './spool-client'
import { SpoolService } from './spool-service'
import { toCallStart } from './to-call-start'

const project_id = 'e2e/export'
/** One of those who judged. */
const username = 'p0'
const password = 'the password of p0'
const itemCount = 10_000
const reviewsPerItem = 5
/** As the export asks for them. */
const itemsPerRequest = 500
const answerCount = itemCount * reviewsPerItem

let folder = ''
let own: SpoolService
let client: SpoolClient
let queueId = ''
/** With more answers than one request can carry as rows. */
let wideQueueId = ''
const wide = { itemCount: 7000, scorerCount: 3 }
const wideAnswerCount = wide.itemCount * reviewsPerItem * wide.scorerCount
let ref = ''
let noteRef = ''

async function start(): Promise<void> {
  const user = { SPOOL_USERNAME: username, SPOOL_PASSWORD: password }
  own = await SpoolService.start({ ...user, SPOOL_DATA: folder, SPOOL_SAMPLE: 'off' })
  client = new SpoolClient(own.url, username, password)
}

async function post<Body>(path: string, fields: object): Promise<Body> {
  return (await client.postJson(path, { project_id, ...fields })) as Body // the service's tests check its shape
}

async function createSpec(name: string, type: string): Promise<string> {
  const obj = { project_id, object_id: name, val: { name, field_schema: { type } }, builtin_object_class: 'AnnotationSpec' }
  const { digest } = await post<{ digest: string }>('/obj/create', { obj })
  return `weave:///${project_id}/object/${name}:${digest}`
}

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'spool-export-'))
  await start()
  ref = await createSpec('s0', 'integer')
  noteRef = await createSpec('note', 'string')
  const createQueue = async (name: string) => {
    const queue = { name, scorer_refs: [ref], reviews_per_item: reviewsPerItem }
    return (await post<{ id: string }>('/annotation_queues', queue)).id
  }
  queueId = await createQueue('Many')
  wideQueueId = await createQueue('Wide')
  await own.stop()
  const store = await openStore({ folder }, rebuildDerived)
  const fill = async (id: string, amounts: { itemCount: number; scorerCount: number }) => {
    const stored = await findStoredQueue(store, project_id, id, {})
    if (!stored) throw new Error('The queue is not stored.')
    await fillQueue(store, stored, { ...amounts, reviewedCount: amounts.itemCount, reviewsPerItem })
  }
  await fill(queueId, { itemCount, scorerCount: 1 })
  await fill(wideQueueId, wide)
  await store.close()
  await start()
})
test.afterAll(async () => {
  await own.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function openResults(page: Page, id = queueId, scorer = 's0'): Promise<void> {
  await page.goto(`${own.url}/connection`)
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Project').first().fill(project_id)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('button', { name: `Project ${project_id}` })).toBeVisible()
  await page.goto(`${own.url}/queues/${id}?view=results`)
  await expect(page.getByRole('region', { name: `Scorer ${scorer}` })).toBeVisible()
}

async function exportAs(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('menuitem', { name }).click()
}

async function download(page: Page, name: string): Promise<string> {
  const downloading = page.waitForEvent('download')
  await exportAs(page, name)
  return readFileSync(await (await downloading).path(), 'utf8')
}

/** Tells the answers of a scorer apart. */
function toKey(line: string): string {
  const row = JSON.parse(line) as { item_id: string; annotator: string } // as it is exported
  return `${row.item_id} ${row.annotator}`
}

/** In MB, of what is reachable. */
async function readHeap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1e6
}

/** What an export costs the page. */
async function measureExport(browser: Browser, page: Page, act: () => Promise<void>) {
  const heapBefore = await readHeap(page)
  const startedAt = performance.now()
  const longestMs = await measureLongestTask(browser, page, act)
  const seconds = (performance.now() - startedAt) / 1000
  const leftMb = (await readHeap(page)) - heapBefore
  console.log(
    `${seconds.toFixed(1)} s, longest task ${longestMs.toFixed(0)} ms, ${leftMb.toFixed(1)} MB more in the page afterwards`,
  )
  return { longestMs, leftMb }
}

test('50,000 answers are exported whole in each form, and the page stays responsive', async ({ page, browser }) => {
  await openResults(page)
  const isCheap = ({ longestMs, leftMb }: { longestMs: number; leftMb: number }) => longestMs <= 200 && leftMb < 30

  const csv = await measureExport(browser, page, async () => {
    const lines = (await download(page, 'Answers as CSV')).trimEnd().split('\r\n')
    expect(lines).toHaveLength(answerCount + 1)
    expect(new Set(lines).size).toBe(answerCount + 1)
  })
  expect(isCheap(csv)).toBe(true)

  const json = await measureExport(browser, page, async () => {
    const keys = (await download(page, 'Answers as JSON lines')).trimEnd().split('\n').map(toKey)
    expect([keys.length, new Set(keys).size]).toEqual([answerCount, answerCount])
  })
  expect(isCheap(json)).toBe(true)

  const dataset = await measureExport(browser, page, async () => {
    await exportAs(page, 'Save as a Weave dataset')
    await expect(page.getByText(/^Saved 50,000 answers as /)).toBeVisible({ timeout: 120_000 })
  })
  expect(isCheap(dataset)).toBe(true)
  const digest = /:([^:]+)$/.exec((await page.getByText(/^Saved 50,000 answers as /).textContent()) ?? '')?.[1] ?? ''
  const { obj } = await post<{ obj: { val: { rows: string } } }>('/obj/read', { object_id: 'Many-results', digest })
  const table = { digest: obj.val.rows.split('/').at(-1), offset: answerCount - 1, limit: 2 }
  expect((await post<{ rows: object[] }>('/table/query', table)).rows).toHaveLength(1)
})

test('105,000 answers become one dataset', async ({ page }) => {
  await openResults(page, wideQueueId)
  await exportAs(page, 'Save as a Weave dataset')
  const saved = page.getByText(/^Saved 105,000 answers as /)
  await expect(saved).toBeVisible({ timeout: 240_000 })
  const digest = /:([^:]+)$/.exec((await saved.textContent()) ?? '')?.[1] ?? ''
  const { obj } = await post<{ obj: { val: { rows: string } } }>('/obj/read', { object_id: 'Wide-results', digest })
  const table = { digest: obj.val.rows.split('/').at(-1) }
  expect(await post('/table/query_stats', table)).toEqual({ count: wideAnswerCount })
})

test('an export while people judge has each item once', async ({ page }) => {
  await openResults(page)
  // All agree on it. With another answer it goes to those that people disagree on, which are shown first.
  const path = `/annotation_queues/${queueId}/results`
  const [last] = (await post<{ items: { call_id: string }[] }>(path, { limit: 1, offset: itemCount - 1 })).items
  let count = 0
  await page.route(`**${path}`, async (route) => {
    const { limit } = route.request().postDataJSON() as { limit: number } // of the page
    if (limit === itemsPerRequest && (count += 1) === 3) {
      await post('/feedback/create', {
        weave_ref: `weave:///${project_id}/call/${last?.call_id}`,
        feedback_type: 'wandb.annotation.s0',
        annotation_ref: ref,
        payload: { value: 9 },
        queue_id: queueId,
      })
    }
    await route.continue()
  })
  const keys = (await download(page, 'Answers as JSON lines')).trimEnd().split('\n').map(toKey)
  expect(count).toBeGreaterThan(3)
  expect([keys.length, new Set(keys).size]).toEqual([answerCount, answerCount])
})

test('an export whose connection is cut waits and goes on; one that is refused says how many answers are missing', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push('Failed to load resource')
  await openResults(page)
  const path = `/annotation_queues/${queueId}/results`
  let count = 0
  let onThird: () => Promise<'abort' | 'continue'> = async () => 'abort'
  await page.route(`**${path}`, async (route) => {
    const { limit } = route.request().postDataJSON() as { limit: number } // of the page
    const isThird = limit === itemsPerRequest && (count += 1) >= 3
    await route[isThird ? await onThird() : 'continue']()
  })
  // The connection is cut until the network is back.
  await exportAs(page, 'Answers as JSON lines')
  await expect(page.getByText('Waiting for the server after 5,000 of 50,000 answers')).toBeVisible()
  onThird = async () => 'continue'
  const keys = readFileSync(await (await page.waitForEvent('download')).path(), 'utf8')
    .trimEnd()
    .split('\n')
    .map(toKey)
  expect([keys.length, new Set(keys).size]).toEqual([answerCount, answerCount])

  // Stopped while it waits.
  count = 0
  onThird = async () => 'abort'
  await exportAs(page, 'Save as a Weave dataset')
  await expect(page.getByText('Waiting for the server after 5,000 of 50,000 answers')).toBeVisible()
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByRole('alert')).toHaveText('Stopped after 5,000 of 50,000 answers: nothing was saved.')

  // Somebody deletes the queue meanwhile.
  for (const name of ['Answers as CSV', 'Save as a Weave dataset']) {
    count = 0
    onThird = async () => {
      const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
      const url = `${own.url}/annotation_queues/${queueId}?project_id=${encodeURIComponent(project_id)}`
      expect((await fetch(url, { method: 'DELETE', headers: { authorization } })).status).toBe(200)
      return 'continue'
    }
    let hasFile = false
    page.once('download', () => (hasFile = true))
    await exportAs(page, name)
    await expect(page.getByRole('alert').filter({ hasText: 'The export' })).toContainText(
      'The export failed after 5,000 of 50,000 answers: 45,000 are missing, so nothing was saved.',
    )
    expect(hasFile).toBe(false)
    await post(`/annotation_queues/${queueId}/restore`, {})
  }
})

test('answers too long for one response are exported in smaller parts', async ({ page, expectedConsoleErrors }) => {
  expectedConsoleErrors.push("Set a smaller 'limit'")
  const count = 60
  const id = (await post<{ id: string }>('/annotation_queues', { name: 'Long', scorer_refs: [noteRef] })).id
  const callIds = Array.from({ length: count }, (_, index) => index.toString(16).padStart(16, 'a'))
  const batch = callIds.map((callId) => toCallStart(project_id, callId))
  await post('/call/upsert_batch', { project_id: undefined, batch })
  const added = await post<object>(`/annotation_queues/${id}/items`, { call_ids: callIds, display_fields: [] })
  expect(added).toMatchObject({ added_count: count })
  const { items } = await post<{ items: { id: string; call_id: string }[] }>(`/annotation_queues/${id}/items/query`, {})
  for (const item of items) {
    await post('/feedback/create', {
      weave_ref: `weave:///${project_id}/call/${item.call_id}`,
      feedback_type: 'wandb.annotation.note',
      annotation_ref: noteRef,
      payload: { value: 'x'.repeat(1_000_000) },
      queue_id: id,
    })
    await post(`/annotation_queues/${id}/items/${item.id}/progress`, { annotation_state: 'completed' })
  }
  await openResults(page, id, 'note')
  await expect(page.getByText('1,000,000 characters in all').first()).toBeVisible()
  const keys = (await download(page, 'Answers as JSON lines')).trimEnd().split('\n').map(toKey)
  expect([keys.length, new Set(keys).size]).toEqual([count, count])
})
