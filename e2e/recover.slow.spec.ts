import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { FaultProxy } from './fault-proxy'
import { expect as expectSoon, password, readTable, signInByForm, test, username } from './fixtures'
import { SpoolClient } from './spool-client'
import { SpoolService } from './spool-service'
import { oneTurnThreads, writeTurns } from './turns'

const monday = Date.parse('2026-01-05T09:00:00Z')
const ref = (name: string) => `weave:///acme/support/scorer/${name}:v1`
// A pause between two attempts takes some seconds.
const expect = expectSoon.configure({ timeout: 30_000 })
const connectionErrors = ['net::ERR_', 'Failed to load resource']

test.use({ expectedConsoleErrors: connectionErrors })

/** A reload would remove it: what recovers, recovers without one. */
async function markPage(page: Page) {
  await page.evaluate(() => Object.assign(window, { wasNotReloaded: true }))
}
async function expectNotReloaded(page: Page) {
  expect(await page.evaluate(() => Reflect.get(window, 'wasNotReloaded'))).toBe(true)
}

async function threadIds(page: Page): Promise<(string | undefined)[]> {
  return (await readTable(page, 'Threads')).map((row) => row['Thread'])
}

/** A proxy before the service that `down` takes away. */
async function startOutage(service: SpoolService) {
  const state = { isDown: false }
  const proxy = await FaultProxy.start(service.url, () => state)
  return { proxy, state }
}

test.describe('a service that is stopped and started again', () => {
  test.describe.configure({ timeout: 120_000 })

  test('every page recovers by itself: those that were open, and those opened meanwhile', async ({ context, page }) => {
    const folder = mkdtempSync(join(tmpdir(), 'spool-e2e-'))
    const environment = { SPOOL_USERNAME: username, SPOOL_PASSWORD: password, SPOOL_DATA: folder }
    let service = await SpoolService.start(environment)
    const { url } = service
    const restart = { ...environment, SPOOL_PORT: new URL(url).port }
    const client = new SpoolClient(url, username, password)
    await writeTurns(client, 'acme/support', oneTurnThreads(3, monday))
    await client.postJson('/annotation_queues', { project_id: 'acme/support', name: 'Tone', scorer_refs: [ref('Tone')] })

    await page.goto(`${url}/connection`)
    await signInByForm(page, 'acme/support')
    const open = async (path: string) => {
      const tab = await context.newPage()
      await tab.goto(url + path)
      await tab.getByRole('link', { name: 'Connection' }).waitFor()
      await markPage(tab)
      return tab
    }
    const costs = await open('/costs')
    const threads = await open('/threads')
    const queues = await open('/queues')
    const other = await open('/costs?view=records')
    for (const tab of [costs, threads, queues, other]) await expect(tab.getByRole('row').nth(1)).toBeVisible()
    // The parts that load after the first rows.
    await expect(other.getByRole('button', { name: 'Export' })).toBeVisible()
    await other.waitForLoadState('networkidle')
    await service.stop()

    for (const tab of [costs, threads, queues]) {
      await tab.getByRole('button', { name: 'Refresh', exact: true }).click()
      await expect(tab.getByText('The refresh failed; these are the earlier rows')).toBeVisible()
      await expect(tab.getByRole('main')).toContainText(/From 20\d\d-\d\d-\d\d \d\d:\d\d.*tries again by itself/)
      await expect(tab.getByRole('main')).not.toContainText('CORS')
      await expect(tab.getByRole('row').nth(1)).toBeVisible()
      await expect(tab.getByRole('link', { name: /^Server .*no response/ })).toBeVisible()
    }
    const headings = ['Threads', 'Queues', 'New queue', 'Send data', 'Connection']
    for (const heading of headings) {
      if (heading === 'New queue') await other.getByRole('main').getByRole('link', { name: 'New queue' }).click()
      else await other.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: heading }).click()
      await expect(other.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      await expect(other.getByRole('main')).not.toContainText('CORS')
    }
    await other.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Threads' }).click()
    // The rows say so, and what is above them.
    await expect(other.getByRole('alert').filter({ hasText: 'The server does not respond' }).first()).toBeVisible()

    service = await SpoolService.start(restart)
    for (const tab of [costs, threads, queues]) {
      await expect(tab.getByText('The refresh failed')).toBeHidden({ timeout: 40_000 })
      await expect(tab.getByRole('link', { name: /^Server .*: responding/ })).toBeVisible()
      await expectNotReloaded(tab)
    }
    await expect.poll(async () => threadIds(other), { timeout: 40_000 }).toHaveLength(3)
    await expectNotReloaded(other)
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })
})

test('a page whose script cannot be loaded says so, and is there as soon as the server is', async ({ page, signIn }) => {
  let isDown = true
  await signIn('/connection')
  // The prices need two files.
  await page.route(/\/assets\/(?!index|tables)/, async (route) => (isDown ? route.abort() : route.continue()))
  await page.goto('/costs?view=prices')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await markPage(page)
  for (const name of ['Queues', 'Send data', 'Connection']) {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()
    await expect(page.getByText('This part of the page could not be loaded')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Retry now' })).toBeVisible()
  }
  isDown = false
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(page.getByRole('heading', { level: 1, name: 'Connection' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Command palette' })).toBeVisible()
  await expectNotReloaded(page)
})

test('a sort or a page that fails leaves the rows, names their order, and comes by itself later', async ({
  page,
  client,
  service,
  projectId,
}) => {
  await writeTurns(client, projectId, oneTurnThreads(60, monday))
  const { proxy, state } = await startOutage(service)
  await page.goto(`${proxy.url}/connection`)
  await signInByForm(page, projectId)
  await page.goto(`${proxy.url}/threads?sort=thread_id&size=25`)
  await expect.poll(async () => (await threadIds(page)).length).toBe(25)
  // The file of the panel follows the rows.
  await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/thread-')))
  const before = await threadIds(page)
  let viewRequests = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/views/query')) viewRequests += 1
  })
  state.isDown = true
  const pages = page.getByRole('navigation', { name: 'Pages of the table' })
  await page.getByRole('button', { name: 'p99', exact: true }).click()
  await expect(page.getByText('This view could not be read')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('page 1, sorted by Thread ascending')
  expect(await threadIds(page)).toEqual(before)
  await pages.getByRole('button', { name: 'Next page' }).click()
  await expect(pages).toContainText('Page 2')
  await expect(pages).toContainText('Rows 1–25, more follow')
  expect(await threadIds(page)).toEqual(before)
  // The panel needs no request, and its file was loaded before.
  await page.getByRole('button', { name: before[2] ?? '' }).click()
  await expect(page.getByRole('dialog', { name: /^Thread / })).toBeVisible()
  await page.keyboard.press('Escape')
  // With the attempts of the page, not one after the other.
  expect(viewRequests).toBeLessThan(20)

  state.isDown = false
  // The button is gone where the page has tried again by itself just now.
  await page
    .getByRole('button', { name: 'Retry now' })
    .click({ timeout: 3000 })
    .catch(() => undefined)
  await expect.poll(async () => (await threadIds(page))[0]).toBe('thread-0035')
  await expect(page.getByText('This view could not be read')).toBeHidden()
  proxy.close()
})

test('a stream that breaks again and again shows the rows of one attempt, and completes by itself', async ({
  page,
  client,
  service,
  projectId,
}) => {
  await writeTurns(client, projectId, oneTurnThreads(200, monday))
  let isCutting = true
  let requestCount = 0
  const proxy = await FaultProxy.start(service.url, ({ url }) => {
    if (url !== '/threads/stream_query' || !isCutting) return {}
    requestCount += 1
    return { cutAfterBytes: requestCount === 1 ? 12_000 : 4000 }
  })
  await page.goto(`${proxy.url}/connection`)
  await signInByForm(page, projectId)
  await page.goto(`${proxy.url}/threads?size=200`)
  const partial = page.getByText(/Partial: the response ended after \d+ rows/)
  await expect(partial).toBeVisible()
  // The rows may be drawn a moment later.
  await expect.poll(async () => (await threadIds(page)).length).toBeGreaterThan(0)
  const first = (await threadIds(page)).length
  await expect.poll(() => requestCount).toBeGreaterThan(2)
  await expect(partial).toHaveText(`Partial: the response ended after ${first} rows`)
  expect((await threadIds(page)).length).toBe(first)
  isCutting = false
  await expect.poll(async () => (await threadIds(page)).length).toBe(200)
  await expect(partial).toBeHidden()
  proxy.close()
})

test.describe('the form of a queue', () => {
  const paste = async (page: Page, text: string) => {
    await page.getByRole('textbox', { name: /Scorer references/ }).evaluate((field, pasted) => {
      const data = new DataTransfer()
      data.setData('text', pasted)
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }, text)
  }

  test('two tabs have a draft each, a closed tab leaves its draft, and the first click discards it', async ({
    page,
    context,
    signIn,
  }) => {
    await signIn('/queues/new')
    await page.getByLabel('Name').fill('First')
    const second = await context.newPage()
    await second.goto('/queues/new')
    await expect(second.getByLabel('Name')).toHaveValue('')
    await second.getByLabel('Name').fill('Second')
    await page.reload()
    await second.reload()
    await expect(page.getByLabel('Name')).toHaveValue('First')
    await expect(second.getByLabel('Name')).toHaveValue('Second')
    await second.goto('/costs')
    await second.close()
    await page.reload()
    await expect(page.getByLabel('Name')).toHaveValue('First')
    await page.getByRole('button', { name: 'Second' }).click()
    await expect(page.getByLabel('Name')).toHaveValue('Second')

    // The field has the focus, and leaving it would show a message that moves the button away.
    await page.getByLabel('Name').fill('')
    await page.getByLabel('Description').fill('Nothing in the name')
    await page.getByLabel('Name').focus()
    await page.getByRole('button', { name: 'Discard draft' }).click()
    await expect(page.getByText('The draft was discarded.')).toBeVisible()
    await expect(page.getByLabel('Description')).toHaveValue('')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByLabel('Description')).toHaveValue('Nothing in the name')
  })

  test('references past the limit are counted and said, and can be removed at once', async ({ page, signIn }) => {
    await signIn('/queues/new')
    await paste(page, Array.from({ length: 620 }, (_, index) => ref(`S${index}`)).join('\n'))
    await expect(page.getByRole('alert')).toContainText('120 more references were not added')
    await expect(page.getByRole('status', { name: 'References' })).toContainText('400 past the limit of 100')
    await page.getByRole('button', { name: 'Remove those after the 100th' }).click()
    await expect(page.getByText('100 of 100')).toBeVisible()
  })

  test('a queue sent while the server is away is kept, and is created once when it is back', async ({
    page,
    client,
    service,
    projectId,
  }) => {
    const { proxy, state } = await startOutage(service)
    await page.goto(`${proxy.url}/connection`)
    await signInByForm(page, projectId)
    await page.goto(`${proxy.url}/queues/new`)
    await page.getByLabel('Name').fill('Kept')
    await paste(page, ref('A'))
    state.isDown = true
    await page.getByRole('button', { name: 'Create queue' }).click()
    const failure = page.getByRole('alert')
    await expect(failure).toContainText('The server does not respond')
    await expect(failure).not.toContainText('CORS')
    state.isDown = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('region', { name: 'Queue created' })).toBeVisible()
    expect(await client.postLines('/annotation_queues/query', { project_id: projectId })).toHaveLength(1)
    proxy.close()
  })
})

test('a threshold that is no number is refused in words, and the one before stays', async ({ page, signIn }) => {
  await signIn('/threads?slow=2000')
  await page.getByRole('button', { name: 'Slow from 2.00 s' }).click()
  const seconds = page.getByRole('textbox', { name: 'p99' })
  await seconds.fill('abc')
  await seconds.press('Enter')
  await expect(seconds).toHaveAccessibleDescription('Write a number of seconds, such as 2.5.')
  await expect(page).toHaveURL(/slow=2000/)
  await seconds.fill('2,5')
  await seconds.press('Enter')
  await expect(page).toHaveURL(/slow=2500/)
})

test('what is copied of the prices has the search, the source and the order of the view, and no secret', async ({
  page,
  context,
  signIn,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn('/costs?search=claude&source=catalog&sort=-completion_token_cost')
  const copy = async (name: string) => {
    // The word 'Copied' may still be that of the copy before.
    await page.evaluate(() => navigator.clipboard.writeText(''))
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name }).click()
    await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeAttached()
    const read = () => page.evaluate(() => navigator.clipboard.readText())
    await expect.poll(read).not.toBe('')
    return read()
  }
  const curl = await copy('Copy as curl')
  expect(curl).toContain('"substr":{"$literal":"claude"}')
  expect(curl).toContain('"sort_by":[{"field":"completion_token_cost","direction":"desc"}]')
  expect(curl).toContain(`-u 'reviewer:'"\${SPOOL_KEY`)
  expect(curl).not.toContain(password)
  const json: unknown = JSON.parse(await copy('Copy the JSON request'))
  expect(JSON.stringify(json)).toContain('"substr":{"$literal":"claude"}')

  await page.getByText('Records', { exact: true }).click()
  await expect(page.getByRole('table', { name: 'Model cost records' })).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  expect(JSON.parse(await copy('Copy the JSON request'))).toHaveLength(2)
})

test('an export waits for a server that goes away in the middle, can be stopped, and goes on where it was', async ({
  page,
  service,
  projectId,
}) => {
  let isDown = true
  const proxy = await FaultProxy.start(service.url, ({ url, headers }) => ({
    isDown: isDown && url === '/cost/query' && headers['x-second-page'] === 'yes',
  }))
  await page.route('**/cost/query', async (route) => {
    const isSecond = route.request().postData()?.includes('"offset":1000') ?? false
    await route.continue({ headers: { ...route.request().headers(), 'x-second-page': isSecond ? 'yes' : 'no' } })
  })
  await page.goto(`${proxy.url}/connection`)
  await signInByForm(page, projectId)
  await page.goto(`${proxy.url}/costs?view=records`)
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  const exportAll = async () => {
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'All pages as NDJSON' }).click()
    await expect(page.getByText('Waiting for the server after 1,000 rows')).toBeVisible()
  }
  await exportAll()
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByRole('alert')).toHaveText('Stopped after 1,000 rows: no file was saved.')
  await exportAll()
  const download = page.waitForEvent('download')
  isDown = false
  const path = await (await download).path()
  expect(readFileSync(path, 'utf8').trim().split('\n').length).toBeGreaterThan(1500)
  proxy.close()
})

test('a queue that is opened while the server is away comes with the retry of the top bar, a thread by itself', async ({
  page,
  client,
  service,
  projectId,
}) => {
  await writeTurns(client, projectId, oneTurnThreads(30, monday))
  await client.postJson('/annotation_queues', { project_id: projectId, name: 'Away', scorer_refs: [ref('Tone')] })
  let isDown = false
  let queueRequests = 0
  let threadRequests = 0
  const proxy = await FaultProxy.start(service.url, ({ url }) => {
    const isOfQueue = url?.startsWith('/annotation_queues/') === true && !url.startsWith('/annotation_queues/query')
    if (isOfQueue) queueRequests += 1
    if (url === '/threads/stream_query') threadRequests += 1
    return { isDown: isDown && (isOfQueue || threadRequests > 1) }
  })
  const retry = page.getByRole('button', { name: 'Retry the server' })
  await page.goto(`${proxy.url}/connection`)
  await signInByForm(page, projectId)
  await page.goto(`${proxy.url}/queues`)
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await markPage(page)
  isDown = true
  await page.getByRole('link', { name: 'Away' }).click()
  await expect(page.getByRole('alert')).toContainText('The queue could not be read')
  // Each attempt is two requests. After the fifth one the next is 16 s away, so that only a person is faster.
  await expect.poll(() => queueRequests).toBeGreaterThanOrEqual(10)
  isDown = false
  await retry.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Away' })).toBeVisible({ timeout: 5000 })
  await expect(page.getByRole('main')).toContainText('This queue has no items yet')
  await expectNotReloaded(page)

  threadRequests = 0
  isDown = true
  // The thread is not among the rows of the page, so it is looked up.
  await page.goto(`${proxy.url}/threads?size=25&row=thread-0001`)
  const panel = page.getByRole('dialog', { name: 'Thread thread-0001' })
  await expect(panel).toContainText('This thread could not be looked up')
  isDown = false
  await expect(panel).not.toContainText('could not be looked up')
  await expect(panel.getByRole('button', { name: /^Turn 1 / })).toBeVisible()
  proxy.close()
})

test('Send data counts on after the first call, and while the server was away', async ({ page, client, service, projectId }) => {
  const { proxy, state } = await startOutage(service)
  const send = (name: string) => writeTurns(client, projectId, [{ threadId: name, startedAt: Date.now(), durationMs: 1 }])
  await page.goto(`${proxy.url}/connection`)
  await signInByForm(page, projectId)
  await page.goto(`${proxy.url}/send`)
  const received = page.getByRole('region', { name: 'Received calls' })
  await expect(received).toContainText('Waiting')
  await send('one')
  await expect(received).toContainText('1 call since you opened this page')
  state.isDown = true
  await expect(received).toContainText('The server does not respond')
  await send('two')
  state.isDown = false
  await expect(received).toContainText('2 calls since you opened this page')
  proxy.close()
})
