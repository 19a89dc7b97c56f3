import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, expect, type Page, test } from 'playwright/test'
import { readAnswers } from './review-queue'
import { SpoolClient } from './spool-client'
import { SpoolService } from './spool-service'
import { tabTo } from './tab-to'
import { oneTurnThreads, writeTurns } from './turns'

const project_id = 'e2e/journey'
const people = ['ann', 'bob']
const toPassword = (username: string) => `${username}-correct-horse-battery`

let folder = ''
let service: SpoolService
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'spool-journey-'))
  const users = people.map((username) => ({ username, password: toPassword(username), projects: '*' }))
  writeFileSync(join(folder, 'users.json'), JSON.stringify(users), { mode: 0o600 })
  service = await SpoolService.start({ SPOOL_DATA: folder, SPOOL_SAMPLE: 'off' })
})
test.afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function press(page: Page, name: string | RegExp, role: 'button' | 'link') {
  await tabTo(page, name, role)
  await page.keyboard.press('Enter')
}

/** A browser of its own, where this person signs in. */
async function open(browser: Browser, username: string, path: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: service.url })).newPage()
  await page.goto(path)
  await tabTo(page, 'Username', 'textbox')
  await page.keyboard.type(username)
  await page.keyboard.press('Tab')
  await page.keyboard.type(toPassword(username))
  await page.keyboard.press('Enter')
  return page
}

/** Answers thirty items, the first ones with no. The last one may be with the other person at first. */
async function review(page: Page, noCount: number) {
  const isFree = page.getByText('An item is free for you now.')
  for (let position = 1; position <= 30; position += 1) {
    const heading = page.getByRole('heading', { name: `Item ${position} of this visit` })
    await expect(heading.or(isFree)).toBeVisible({ timeout: 30_000 })
    if (await isFree.isVisible()) await press(page, 'Look again', 'button')
    await expect(heading).toBeVisible()
    const isNo = position <= noCount
    await page.keyboard.press(isNo ? 'n' : 'y')
    await expect(page.getByRole('radio', { name: isNo ? 'No' : 'Yes' })).toBeChecked()
    await page.keyboard.press('Control+Enter')
  }
  await expect(page.getByText('Nothing is left for you here.')).toBeVisible()
}

test('slow threads become a queue, two people judge it, and the results are exported, all by keyboard', async ({ browser }) => {
  test.setTimeout(600_000)
  const client = new SpoolClient(service.url, 'ann', toPassword('ann'))
  // Those from the 101st on last longer than 100 ms.
  await writeTurns(client, project_id, oneTurnThreads(160, Date.UTC(2026, 0, 1)))
  const val = { name: 'Good', field_schema: { type: 'boolean' } }
  const obj = { project_id, object_id: 'Good', val, builtin_object_class: 'AnnotationSpec' }
  const { digest } = (await client.postJson('/obj/create', { obj })) as { digest: string } // the contract says so
  // The form suggests the scorers of the latest queues.
  const scorer_refs = [`weave:///${project_id}/object/Good:${digest}`]
  await client.postJson('/annotation_queues', { project_id, name: 'Before', scorer_refs })

  const ann = await open(browser, 'ann', `/threads?p99=101&project=${project_id}`)
  await press(ann, 'Add to queue', 'button')
  await expect(ann.getByText('60 turns of 60 threads; the sample has 30.')).toBeVisible()
  await press(ann, 'Add 30 calls', 'button')
  await expect(ann.getByText('30 added.')).toBeVisible()
  await press(ann, 'Open the queue', 'link')
  await press(ann, 'Edit', 'button')
  await tabTo(ann, '1', 'radio')
  await ann.keyboard.press('ArrowRight')
  await press(ann, 'Save', 'button')
  await expect(ann.getByRole('dialog')).toBeHidden()
  const path = new URL(ann.url()).pathname
  const queueId = path.split('/').at(-1) ?? ''

  const bob = await open(browser, 'bob', `${path}?project=${project_id}`)
  await Promise.all([ann, bob].map((page) => press(page, 'Review 30', 'link')))
  await Promise.all([review(ann, 0), review(bob, 3)])
  const stored = await readAnswers(client, project_id, queueId)
  expect(stored.map(({ annotator, value }) => `${annotator} ${String(value)}`).toSorted()).toEqual([
    ...Array<string>(30).fill('ann true'),
    ...Array<string>(3).fill('bob false'),
    ...Array<string>(27).fill('bob true'),
  ])
  expect(new Set(stored.map(({ call_id: id }) => id)).size).toBe(30)

  await press(bob, 'Results', 'link')
  await expect(bob.getByText('People disagree on 3 items: they come first.')).toBeVisible()
  const items = bob.getByRole('region', { name: 'Items with answers' }).getByRole('listitem')
  for (const index of [0, 1, 2]) await expect(items.nth(index)).toContainText('disagreement')
  await expect(items.nth(3)).not.toContainText('disagreement')
  await press(bob, 'Export', 'button')
  await expect(bob.getByRole('menuitem', { name: 'Answers as CSV' })).toBeFocused()
  const downloading = bob.waitForEvent('download')
  await bob.keyboard.press('Enter')
  const lines = readFileSync(await (await downloading).path(), 'utf8')
    .trimEnd()
    .split('\r\n')
  expect(lines).toHaveLength(61)
})
