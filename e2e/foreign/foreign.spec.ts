import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright/test'
import { FaultProxy } from '../fault-proxy'
import { expect, test } from '../fixtures'
import { measureLongestTask } from '../longest-task'
import { ForeignService } from './foreign-service'
import { foreignVariants } from './foreign-variants'
import { saveConnection, signIn } from './open-foreign'
import { cellsAnnotation } from './print-foreign'

/** The steps of a journey through the dashboard, in order. Each returns its outcome in a word. */
const steps = {
  'sign in': signIn,
  prices: (page: Page) => openTable(page, 'Costs', 'Model costs'),
  records: async (page: Page) => {
    await page.getByRole('radio', { name: 'Records' }).check()
    return readOutcome(page, 'Model cost records')
  },
  threads: (page: Page) => openTable(page, 'Threads', 'Threads'),
  pages: walkPages,
  export: exportAll,
  queues: openQueues,
  'new queue': createQueue,
  'connection test': testConnection,
}
type Step = keyof typeof steps

for (const variant of foreignVariants) {
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
    const expected = { ...allOk, ...unlisted, 'connection test': threeOperations, ...exceptions[variant.name] }
    expect(outcomes).toEqual(expected)
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

test('an export waits for a foreign service that goes away, can be stopped, and goes on when it is back', async ({
  page,
  service,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push('Failed to load resource', 'blocked by CORS policy')
  const variant = foreignVariants.find(({ name }) => name === 'minimal')
  const foreign = await ForeignService.start(variant ?? { name: 'missing' })
  let isDown = false
  const proxy = await FaultProxy.start(foreign.url, () => ({ isDown }))
  try {
    await saveConnection(page, proxy.url)
    await page.goto(`${service.url}/costs`)
    await signIn(page)
    expect(await openTable(page, 'Threads', 'Threads')).toBe('ok')
    const startExport = async () => {
      await page.getByRole('button', { name: 'Export', exact: true }).click()
      await page.getByRole('menuitem', { name: 'All pages as NDJSON' }).click()
      await expect(page.getByText('Waiting for the server after 0 rows')).toBeVisible()
    }
    isDown = true
    await startExport()
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect(page.getByText('Stopped after 0 rows: no file was saved.')).toBeVisible()
    await startExport()
    const download = page.waitForEvent('download')
    isDown = false
    const text = await readFile(await (await download).path(), 'utf8')
    expect(text.trim().split('\n')).toHaveLength(130)
  } finally {
    proxy.close()
    foreign.close()
  }
})

test('100,000 rows in one array keep the page busy for no more than 100 ms at a time', async ({
  page,
  browser,
  service,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push('Failed to load resource')
  const variant = foreignVariants.find(({ name }) => name === '100,000 rows in one array')
  const foreign = await ForeignService.start(variant ?? { name: 'missing' })
  try {
    await saveConnection(page, foreign.url)
    await page.goto(`${service.url}/costs`)
    await signIn(page)
    // The first layout of a page loads its fonts: it belongs to the start of the page, and not to the rows.
    await readOutcome(page, 'Model costs')
    const longestMs = await measureLongestTask(browser, page, async () => {
      expect(await openTable(page, 'Threads', 'Threads')).toBe('falls back')
      await page.getByRole('button', { name: 'p99', exact: true }).click()
      await expect(page.getByRole('columnheader', { name: /^p99/ }).first()).toHaveAttribute('aria-sort', 'descending')
      await readOutcome(page, 'Threads')
    })
    expect(longestMs).toBeLessThanOrEqual(100)
  } finally {
    foreign.close()
  }
})

type Expected = Partial<Record<Step, string>>

/** What the connection test says where only the three operations of the requirements exist. */
const threeOperations = 'Fine / Fine / Not known / Unknown to this server (404)'
const testSays = (costs: string, threads = costs, list = 'Unknown to this server (404)'): Expected => ({
  'connection test': `${costs} / ${threads} / Not known / ${list}`,
})
const listingSays = (words: string) => testSays('Fine', 'Fine', words)
const ignoresLimit = testSays('Fine, but it ignores the limit')
const cors = 'Not allowed from this page (CORS)'

const saySo = (...names: Step[]): Expected => Object.fromEntries(names.map((name) => [name, 'says so']))
const fallBack = (...names: Step[]): Expected => Object.fromEntries(names.map((name) => [name, 'falls back']))

/** None of these services lists queues, and the page says so. */
const unlisted = saySo('queues')
const nothingWorks = saySo('prices', 'records', 'threads', 'pages', 'export', 'queues', 'new queue')
const threadsAreBroken = saySo('threads', 'pages', 'export')

/** What is not "ok", and cannot be. */
const exceptions: Record<string, Expected> = {
  'no CORS': { ...nothingWorks, 'sign in': 'says so', 'connection test': `${cors} / ${cors} / ${cors} / ${cors}` },
  'other routes: 401': listingSays('Not signed in (401)'),
  'other routes: 403': listingSays('No access (403)'),
  'other routes: 400': listingSays('Rejected (400)'),
  'other routes: 500': listingSays('Failed (500)'),
  'other routes: 200 HTML': listingSays('Not this kind of service'),
  'other routes: nothing': { queues: 'can be cancelled', ...listingSays('No response within 15 s') },
  'other routes: redirect': listingSays('Sent on to another address'),
  'limit capped at 50': fallBack('records', 'threads'),
  'limit refused above 10': fallBack('records', 'threads'),
  'limit ignored': { ...fallBack('records', 'threads'), ...ignoresLimit },
  'limit and offset ignored': { ...fallBack('records', 'threads'), ...ignoresLimit },
  'sort_by ignored': fallBack('records', 'threads'),
  'all but project ignored': { ...fallBack('records', 'threads'), ...ignoresLimit },
  'years 1 and 9999, null ids, twins': threadsAreBroken,
  'broken lines': threadsAreBroken,
  'only broken lines': { ...threadsAreBroken, ...saySo('prices', 'records'), ...testSays('Not this kind of service') },
  'cut in mid-stream': { ...threadsAreBroken, ...testSays('Fine', 'Failed') },
  'cut at once': { ...threadsAreBroken, ...testSays('Fine', 'No readable response') },
  '100,000 rows in one array': { ...fallBack('records', 'threads'), export: 'says so', ...ignoresLimit },
  'error: detail list': { ...nothingWorks, ...testSays('Rejected (422)') },
  'error: detail text': { ...nothingWorks, ...testSays('Rejected (400)') },
  'error: reason': { ...nothingWorks, 'sign in': 'says so', ...testSays('No access (403)') },
  'error: HTML title': { ...nothingWorks, 'sign in': 'says so', ...testSays('Failed (502)') },
  'error: empty': { ...nothingWorks, 'sign in': 'says so', ...testSays('Failed (500)') },
  'error: 200 HTML': { ...nothingWorks, 'sign in': 'says so', ...testSays('Not this kind of service') },
  'error: redirect': { ...nothingWorks, 'sign in': 'says so', ...testSays('Sent on to another address') },
}

/** The first words of what the connection test says about costs, threads, creating queues and listing queues. */
async function testConnection(page: Page): Promise<string> {
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'Connection' }).click()
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  const results = page.getByRole('list', { name: 'Test results' }).getByRole('listitem')
  await expect(results).toHaveText(
    Array.from({ length: 4 }, () => / ms$/),
    { timeout: 20_000 },
  )
  const titles = await results.locator('> :nth-child(2) > :first-child').allTextContents()
  return titles.map((title) => title.replace(' (slow)', '')).join(' / ')
}

async function openTable(page: Page, section: string, table: string): Promise<string> {
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: section, exact: true }).click()
  return readOutcome(page, table)
}

/**
 * "ok": rows, or a sentence that there are none. "says so": a message says what is wrong. "falls back": the rows are sorted
 * and paged here, and a message says why.
 */
async function readOutcome(page: Page, name: string): Promise<string> {
  const main = page.getByRole('main')
  const message = main.getByRole('alert').or(main.getByRole('status')).filter({ hasText: /\S/ })
  await expect(async () => {
    expect(await main.locator('[aria-busy=true], [aria-label=Loading]').count()).toBe(0)
    expect((await main.getByRole('table', { name }).count()) + (await message.count())).toBeGreaterThan(0)
  }).toPass({ intervals: [50, 100, 200] })
  const said = (await message.allTextContents()).join(' ')
  return said.includes('sorted and paged here') ? 'falls back' : said === '' ? 'ok' : 'says so'
}

/** A list that never comes: the page stays usable, and the person can cancel. */
async function openQueues(page: Page, foreign: ForeignService): Promise<string> {
  if (!foreign.isSilentElsewhere) return openTable(page, 'Queues', 'Annotation queues')
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'Queues', exact: true }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  return (await readOutcome(page, 'Annotation queues')) === 'ok' ? 'can be cancelled' : 'bad'
}

/** Goes through all pages of the threads: every row must be there once, and the end must not be claimed earlier. */
async function walkPages(page: Page, foreign: ForeignService): Promise<string> {
  const footer = page.getByRole('navigation', { name: 'Pages of the table' })
  if ((await footer.count()) === 0) return 'says so'
  const names: string[] = []
  let isAtEnd = false
  for (let number = 1; number <= 4; number += 1) {
    await expect(footer).toContainText(`Page ${number}`)
    const outcome = await readOutcome(page, 'Threads')
    if (outcome === 'says so') return outcome
    const rows = page.getByRole('table', { name: 'Threads' }).getByRole('rowheader')
    // The footer may be a moment ahead of the rows.
    if (names.length < foreign.readableThreads.length) await expect(rows.first()).toBeVisible()
    names.push(...(await rows.allTextContents()))
    const next = footer.getByRole('button', { name: 'Next page' })
    isAtEnd = (await next.getAttribute('aria-disabled')) === 'true'
    if (isAtEnd) break
    await next.click()
  }
  const { length: expected } = foreign.readableThreads
  if (isAtEnd && names.length !== expected) return `bad: ${names.length} of ${expected} rows on the pages`
  return new Set(names).size < names.length ? 'bad: rows repeat' : 'ok'
}

async function exportAll(page: Page, foreign: ForeignService): Promise<string> {
  const button = page.getByRole('button', { name: 'Export', exact: true })
  if ((await button.count()) === 0) return 'says so'
  await button.click()
  const download = page.waitForEvent('download').catch(() => undefined)
  await page.getByRole('menuitem', { name: 'All pages as NDJSON' }).click()
  const problem = page.getByRole('main').getByText(/The export failed|The file has only|not in the file|Stopped after/)
  // A button to stop takes its place meanwhile. An export from a service that breaks off each time waits until it is stopped.
  const stop = page.getByText('Waiting for the server').getByRole('button', { name: 'Stop' })
  await button.or(stop).first().waitFor()
  if (await stop.isVisible()) await stop.click()
  await button.waitFor()
  if ((await problem.count()) > 0) return 'says so'
  const file = await download
  if (!file) return 'bad: no file'
  const text = await readFile(await file.path(), 'utf8')
  const count = text.split('\n').filter((line) => line !== '').length
  const { length: expected } = foreign.readableThreads
  return count === expected ? 'ok' : `bad: ${count} of ${expected} rows exported`
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
