import type { Page } from 'playwright/test'
import { expect, test } from './fixtures'
import { ForeignService } from './foreign-service'
import { foreignVariants } from './foreign-variants'
import { cellsAnnotation } from './print-foreign'

/** The steps of a journey through the dashboard, in order. Each returns its outcome in a word. */
const steps = {
  'sign in': signIn,
  'in force': (page: Page) => openTable(page, 'Costs', 'Model costs in force'),
  records: async (page: Page) => {
    await page.getByRole('radio', { name: 'Records' }).check()
    return readOutcome(page, 'Model cost records')
  },
  threads: (page: Page) => openTable(page, 'Threads', 'Threads'),
  queues: (page: Page) => openTable(page, 'Queues', 'Annotation queues'),
  'new queue': createQueue,
}
type Step = keyof typeof steps

test.use({ actionTimeout: 10_000 })

for (const variant of foreignVariants.slice(0, 1)) {
  test(`a service with ${variant.name}: each page works or says why not`, async ({
    page,
    service,
    expectedConsoleErrors,
  }, testInfo) => {
    // The browser reports every failed request; exceptions of the page still fail the test.
    expectedConsoleErrors.push('Failed to load resource', 'blocked by CORS policy')
    const foreign = await ForeignService.start(variant)
    const outcomes: Record<string, string> = {}
    try {
      await saveConnection(page, foreign.url)
      await page.goto(`${service.url}/costs`)
      for (const [name, run] of Object.entries(steps)) outcomes[name] = await run(page, foreign)
    } finally {
      testInfo.annotations.push({ type: cellsAnnotation, description: JSON.stringify([variant.name, outcomes]) })
      foreign.close()
    }
    const allOk = Object.fromEntries(Object.keys(steps).map((name) => [name, 'ok']))
    expect(outcomes).toEqual({ ...allOk, ...unlisted, ...exceptions[variant.name] })
  })
}

test('the connection test creates nothing, Send data asks once, and a new tab is signed in', async ({
  page,
  context,
  service,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push('Failed to load resource', 'blocked by CORS policy')
  const foreign = await ForeignService.start({ name: 'minimal' })
  try {
    await saveConnection(page, foreign.url)
    await page.goto(`${service.url}/connection`)
    expect(await signIn(page)).toBe('ok')
    await page.getByRole('link', { name: 'Connection', exact: true }).click()
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    const results = page.getByRole('list', { name: 'Test results' })
    await expect(results.getByRole('listitem')).toHaveText([/Costs\s*Fine/, /Threads\s*Fine/, /Create queues/, /Unknown/])
    expect(foreign.requests.filter(({ method, path }) => method === 'POST' && path === '/annotation_queues')).toEqual([])
    expect(foreign.createdQueues).toEqual([])

    await page.getByRole('link', { name: 'Send data' }).click()
    await expect(page.getByRole('main')).toContainText('takes no calls')
    expect(foreign.requests.filter(({ path }) => path.startsWith('/calls/'))).toEqual([])

    const opened = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Threads', exact: true }).click({ modifiers: ['Control'] })
    const tab = await opened
    await expect(tab.getByRole('heading', { level: 1, name: 'Threads' })).toBeVisible()
    await expect(tab).toHaveURL(/project=team\/app/)
    await page.getByRole('link', { name: 'Connection', exact: true }).first().click()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await expect(tab.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  } finally {
    foreign.close()
  }
})

/** None of these services lists queues, and the page says so. */
const unlisted = { queues: 'says so' }

/** What is not "ok", and why it cannot be. */
const exceptions: Record<string, Partial<Record<Step, string>>> = {}

/** A connection to the foreign service, as a person has saved it earlier; its password is not stored. */
async function saveConnection(page: Page, baseUrl: string): Promise<void> {
  const connection = {
    id: 'foreign',
    name: 'Foreign',
    baseUrl,
    username: ForeignService.username,
    projectId: 'team/app',
    isRemembered: false,
  }
  await page.addInitScript((saved) => localStorage.setItem('spool.connections', saved), JSON.stringify([connection]))
}

async function signIn(page: Page): Promise<string> {
  await page.getByLabel('Password', { exact: true }).fill(ForeignService.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const problem = page.getByRole('form', { name: 'Sign in' }).getByRole('alert')
  await expect(problem.or(page.getByRole('link', { name: 'Threads' }).first())).toBeVisible()
  if (!(await problem.isVisible())) return 'ok'
  // The pages are looked at also where signing in failed: the service may fail later too.
  await page.evaluate((password) => {
    sessionStorage.setItem('spool.passwords', JSON.stringify({ foreign: password }))
  }, ForeignService.password)
  await page.reload()
  return 'says so'
}

async function openTable(page: Page, section: string, table: string): Promise<string> {
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: section, exact: true }).click()
  return readOutcome(page, table)
}

/** "ok": rows, or a sentence that there are none. "says so": a message says what is wrong. */
async function readOutcome(page: Page, table: string): Promise<string> {
  const main = page.getByRole('main')
  const rows = main.getByRole('table', { name: table })
  const message = main.getByRole('alert').or(main.getByRole('status'))
  await expect(async () => {
    expect(await main.locator('[aria-busy=true], [aria-label=Loading]').count()).toBe(0)
    expect((await rows.count()) + (await message.count())).toBeGreaterThan(0)
  }).toPass()
  if ((await message.count()) > 0) return 'says so'
  return 'ok'
}

async function createQueue(page: Page, foreign: ForeignService): Promise<string> {
  await page
    .getByRole('link', { name: /New queue|create the first queue/ })
    .first()
    .click()
  await page.getByLabel('Name').fill('From afar')
  await page.getByRole('textbox', { name: /Scorer references/ }).fill('weave:///team/app/scorer/tone:v1')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Create queue' }).click()
  const created = page.getByRole('region', { name: 'Queue created' })
  const problem = page.getByRole('main').getByRole('alert')
  await expect(created.or(problem.first())).toBeVisible()
  if (await created.isVisible()) return foreign.createdQueues.length === 1 ? 'ok' : 'bad: created twice'
  return 'says so'
}
