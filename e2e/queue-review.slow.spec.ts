import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, expect, type Page, test } from 'playwright/test'
import { killService } from './bench/service-process'
import { createReviewQueue, readAnswers } from './review-queue'
import { SpoolClient } from './spool-client'
import { SpoolService } from './spool-service'

const people = ['ann', 'bob']
const toPassword = (username: string) => `${username}-correct-horse-battery`

/** A service of its own, which can be killed and started again on the same port with another clock. */
class Service {
  private readonly folder = mkdtempSync(join(tmpdir(), 'spool-review-'))
  private service: SpoolService | undefined
  private port = '0'

  get url(): string {
    return this.service?.url ?? ''
  }

  constructor() {
    const users = people.map((username) => ({ username, password: toPassword(username), projects: '*' }))
    writeFileSync(join(this.folder, 'users.json'), JSON.stringify(users), { mode: 0o600 })
  }

  async start(clockShiftMs = 0): Promise<void> {
    this.service = await SpoolService.start({
      SPOOL_DATA: this.folder,
      SPOOL_PORT: this.port,
      SPOOL_SAMPLE: 'off',
      NODE_OPTIONS: `--import=${pathToFileURL(join(process.cwd(), 'e2e/faults/shift-clock.mjs')).href}`,
      SHIFT_CLOCK_MS: String(clockShiftMs),
    })
    this.port = new URL(this.url).port
  }

  async kill(): Promise<void> {
    if (this.service) await killService(this.service)
  }

  async stop(): Promise<void> {
    await this.service?.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }

  client(username = 'ann'): SpoolClient {
    return new SpoolClient(this.url, username, toPassword(username))
  }

  /** A browser of its own, signed in. */
  async open(browser: Browser, username: string, path: string): Promise<Page> {
    const context = await browser.newContext({ baseURL: this.url, viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    // Its time goes on as usual until a test moves it.
    await page.clock.install()
    await page.goto(path)
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(toPassword(username))
    await page.getByRole('button', { name: 'Sign in' }).click()
    return page
  }
}

const boolean = { Good: { type: 'boolean' } }
const good = (page: Page) => page.getByRole('radiogroup', { name: 'Good' })
const shownCall = (page: Page) => page.getByRole('region', { name: 'Call to review' }).getByText(/^Answer \d+: it arrives/)

async function answer(page: Page, key: 'y' | 'n') {
  const before = await shownCall(page).textContent()
  await page.keyboard.press(key)
  await expect(page.getByRole('radio', { name: key === 'y' ? 'Yes' : 'No' })).toBeChecked()
  await page.keyboard.press('Control+Enter')
  await page.waitForFunction(
    (text) =>
      !document.querySelector('[aria-label="Call to review"]')?.textContent?.includes(text ?? '') ||
      document.body.innerText.includes('Nothing is '),
    before,
  )
}

let service: Service
test.beforeEach(async () => {
  service = new Service()
  await service.start()
})
test.afterEach(() => service.stop())

async function createQueue(count: number, more: object = {}, schemas: Record<string, object> = boolean) {
  const projectId = `e2e/${randomUUID().slice(0, 8)}`
  const created = await createReviewQueue(service.client(), projectId, { schemas: schemas as typeof boolean, count, more })
  return { ...created, projectId, path: `/queues/${created.queueId}/review?project=${projectId}` }
}

test('two people review a queue at once: no item twice, none lost', async ({ browser }) => {
  const { queueId, projectId, path, callIds } = await createQueue(12)
  const pages = await Promise.all(people.map((username) => service.open(browser, username, path)))
  const [ann, bob] = pages as [Page, Page] // of two people
  await expect(ann.getByRole('link', { name: 'bob reviewing too' })).toBeVisible()
  await expect(bob.getByRole('link', { name: 'ann reviewing too' })).toHaveAttribute(
    'href',
    new RegExp(`${queueId}\\?state=in_progress`),
  )
  await Promise.all(
    pages.map(async (page) => {
      const finished = page.getByText(/^Nothing is (left|free) for you/)
      await expect(good(page).or(finished)).toBeVisible()
      while (!(await finished.isVisible())) await answer(page, 'y')
    }),
  )
  const stored = await readAnswers(service.client(), projectId, queueId)
  expect(stored.map(({ call_id: id }) => id).toSorted()).toEqual(callIds.toSorted())
  expect(stored.every(({ answer_count: count }) => count === 1)).toBe(true)
  expect(new Set(stored.map(({ annotator }) => annotator))).toEqual(new Set(people))
})

test('who found nothing is told when an item that somebody else had becomes free', async ({ browser }) => {
  const { queueId, projectId, path } = await createQueue(1, { reviews_per_item: 2 })
  const bob = service.client('bob')
  const place = `/annotation_queues/${queueId}`
  const { item } = (await bob.postJson(`${place}/next`, { project_id: projectId })) as { item: { id: string } } // the contract says so
  const page = await service.open(browser, 'ann', path)
  await expect(page.getByText('Nothing is free for you now. 0 of 2 reviews are done. Still at work: bob (1).')).toBeVisible()
  const progress = { project_id: projectId, annotation_state: 'completed' }
  await bob.postJson(`${place}/items/${item.id}/progress`, progress)
  await page.clock.fastForward(10_000)
  await expect(page.getByText('An item is free for you now. 1 of 2 reviews is done.')).toBeVisible()
  await page.getByRole('button', { name: 'Look again' }).press('Enter')
  await expect(good(page)).toBeFocused()
  await page.keyboard.press('y')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Nothing is left for you here.')).toBeVisible()
  await expect(page.getByText('1 of 1 item is done.', { exact: false })).toBeVisible()
})

test('a draft survives kill -9 of the service and a reload, and what is sent meanwhile arrives once', async ({ browser }) => {
  const schemas = { ...boolean, Note: { type: 'string' } }
  const { queueId, projectId, path } = await createQueue(2, {}, schemas)
  const page = await service.open(browser, 'ann', path)
  await expect(good(page)).toBeFocused()
  await page.keyboard.press('y')
  await page.getByRole('textbox', { name: 'Note' }).fill('half a thought')
  await service.kill()
  await page.keyboard.press('Control+Enter')
  await expect(page.locator('footer').getByRole('alert')).toContainText('What you entered is kept')
  await service.start()
  await expect(shownCall(page)).toHaveText(/Answer 2/)
  await page.keyboard.press('n')
  await service.kill()
  await service.start()
  await page.reload()
  await expect(page.getByRole('radio', { name: 'No' })).toBeChecked()
  await good(page).focus()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Nothing is left for you here.')).toBeVisible()
  const stored = await readAnswers(service.client(), projectId, queueId)
  expect(stored.map(({ scorer, value, answer_count: count }) => `${scorer} ${String(value)} ${count}`).toSorted()).toEqual([
    'Good false 1',
    'Good true 1',
    'Note half a thought 1',
  ])
})

test('repeated presses and a lost network store an answer once', async ({ browser }) => {
  const { queueId, projectId, path } = await createQueue(3)
  const page = await service.open(browser, 'ann', path)
  await expect(good(page)).toBeFocused()
  await page.keyboard.press('y')
  for (const _ of [1, 2, 3]) await page.keyboard.press('Control+Enter')
  await expect(shownCall(page)).toHaveText(/Answer 2/)

  // The answer arrives, and its reply does not. All else is lost too: another response would end the pause before the next attempt.
  let isLost = true
  let answerCount = 0
  await page.route('**/*', (route) => (isLost ? route.abort() : route.fallback()))
  await page.route('**/feedback/batch/create', async (route) => {
    answerCount += 1
    if (answerCount === 1) await route.fetch()
    return route.fallback()
  })
  await page.keyboard.press('n')
  await page.getByRole('button', { name: 'Done and next' }).dblclick()
  await expect(page.getByRole('alert')).toContainText('tries again by itself')
  await expect.poll(() => answerCount).toBeGreaterThan(1)
  isLost = false
  await expect(shownCall(page)).toHaveText(/Answer 3/)
  const stored = await readAnswers(service.client(), projectId, queueId)
  expect(stored.map(({ value, answer_count: count }) => [value, count])).toEqual([
    [true, 1],
    [false, 1],
  ])
})

test('a lease that ended is said; somebody else may get the item, and what was typed stays', async ({ browser }) => {
  const { queueId, projectId, path } = await createQueue(1)
  const page = await service.open(browser, 'ann', path)
  await expect(good(page)).toBeFocused()
  await page.keyboard.press('y')
  await page.clock.fastForward('11:00')
  await expect(page.getByText('Your ten minutes with this item ended')).toBeVisible()

  await service.kill()
  await service.start(11 * 60_000)
  const bob = service.client('bob')
  const next = (await bob.postJson(`/annotation_queues/${queueId}/next`, { project_id: projectId })) as { item: { id: string } }
  await page.keyboard.press('Control+Enter')
  // Beside it the page may still say that it could not read the call.
  const alert = page.locator('footer').getByRole('alert')
  await expect(alert).toContainText('Somebody else has this item now')
  await expect(alert).toContainText('bob is reviewing this item')
  await expect(page.getByRole('radio', { name: 'Yes' })).toBeChecked()
  const progress = `/annotation_queues/${queueId}/items/${next.item.id}/progress`
  await bob.postJson(progress, { project_id: projectId, annotation_state: 'completed' })
  await page.getByRole('button', { name: 'Go on without it' }).click()
  await expect(page.getByText('Nothing is left for you here.')).toBeVisible()
  expect(await readAnswers(service.client(), projectId, queueId)).toEqual([])
})

test('who leaves the page gives the item back; without a network it stays until the lease ends', async ({ browser }) => {
  const { queueId, projectId, path } = await createQueue(1)
  const next = async (username: string) => {
    const reply = await service.client(username).postJson(`/annotation_queues/${queueId}/next`, { project_id: projectId })
    return (reply as { item: { id: string } | null }).item // the contract says so
  }
  const page = await service.open(browser, 'ann', path)
  await expect(good(page)).toBeFocused()
  await page.keyboard.press('y')
  await page.route('**/release', (route) => route.abort())
  await page.goto('about:blank')
  expect(await next('bob')).toBeNull()

  await page.unroute('**/release')
  await page.goto(path)
  // The draft is there, and so is the item.
  await expect(page.getByRole('radio', { name: 'Yes' })).toBeChecked()
  await page.goto('about:blank')
  await expect.poll(() => next('bob')).not.toBeNull()
})
