import { expect, readTable, test } from './fixtures'
import { FaultProxy } from './fault-proxy'
import { signInByForm } from './fixtures'
import { oneTurnThreads, writeTurns } from './turns'

const monday = Date.UTC(2026, 0, 5, 9)
const name = 'Threads'

test('a header sorts down, up, and not at all; the address says so and gives the same view again', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  await writeTurns(client, projectId, oneTurnThreads(60, monday))
  await signIn('/threads')
  const header = page.getByRole('columnheader', { name: /^p99/ }).first()
  await header.getByRole('button', { name: 'p99', exact: true }).click()
  await expect(header).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(async () => (await readTable(page, name))[0]?.['Thread']).toContain('thread-0060')
  await header.getByRole('button', { name: 'p99', exact: true }).click()
  await expect(header).toHaveAttribute('aria-sort', 'ascending')
  await expect.poll(async () => (await readTable(page, name))[0]?.['Thread']).toContain('thread-0001')

  const rows = await readTable(page, name)
  const address = page.url()
  expect(address).toContain('sort=')
  await page.reload()
  await expect.poll(async () => readTable(page, name)).toEqual(rows)
  const other = await page.context().newPage()
  await other.goto(address)
  // Another tab has no password of its own; the sign-in leads back to the very view.
  await signInByForm(other, projectId)
  await expect.poll(async () => readTable(other, name)).toEqual(rows)
  await other.close()

  await header.getByRole('button', { name: 'p99', exact: true }).click()
  await expect(header).not.toHaveAttribute('aria-sort')
  await page.goBack()
  await expect(header).toHaveAttribute('aria-sort', 'ascending')
})

test('with shift a second key sorts within the first, and both show their place', async ({ page, client, projectId, signIn }) => {
  await writeTurns(client, projectId, [
    { threadId: 'b', startedAt: monday, durationMs: 10 },
    { threadId: 'a', startedAt: monday, durationMs: 30 },
    { threadId: 'c', startedAt: monday, durationMs: 20 },
    { threadId: 'c', startedAt: monday + 1000, durationMs: 20 },
  ])
  await signIn('/threads')
  await page.getByRole('button', { name: 'Turns', exact: true }).click()
  await page.getByRole('button', { name: 'p50', exact: true }).click({ modifiers: ['Shift'] })
  await expect.poll(async () => (await readTable(page, name)).map((row) => row['Thread'])).toEqual(['c', 'a', 'b'])
  await expect(page.getByRole('columnheader', { name: /Turns/ })).toHaveAttribute('aria-sort', 'descending')
  await expect(page.getByRole('columnheader', { name: /^p50/ })).toHaveAttribute('aria-sort', 'descending')
  await page.reload()
  await expect.poll(async () => (await readTable(page, name)).map((row) => row['Thread'])).toEqual(['c', 'a', 'b'])
})

test('pages say what they show and that more follows, and never invent a total', async ({ page, client, projectId, signIn }) => {
  await writeTurns(client, projectId, oneTurnThreads(120, monday))
  await signIn('/threads')
  const pages = page.getByRole('navigation', { name: 'Pages of the table' })
  await expect(pages).toContainText('Rows 1–50, more follow')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(pages).toContainText('Rows 51–100, more follow')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(pages).toContainText('Rows 101–120, end of list')
  await expect(page.getByRole('button', { name: 'Next page' })).toHaveAttribute('aria-disabled', 'true')

  await page.goto('/threads?page=9')
  await expect(page.getByText('Page 9 is past the end of the list.')).toBeVisible()
  await page.getByRole('button', { name: 'Back to the first page' }).click()
  await expect(pages).toContainText('Rows 1–50, more follow')
})

test('an empty project says what to do, filters that match nothing offer to go', async ({ page, client, projectId, signIn }) => {
  await signIn('/threads')
  await expect(page.getByRole('main')).toContainText(/no thread/i)
  await page.getByRole('link', { name: 'how to send data' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Send data' })).toBeVisible()
  await writeTurns(client, projectId, oneTurnThreads(3, monday))
  await page.goto('/threads?window=1h')
  await expect(page.getByText('Nothing matches these filters.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(async () => (await readTable(page, name)).length).toBe(3)
})

test('pasted thread ids list those threads and no other', async ({ page, client, projectId, signIn }) => {
  await writeTurns(client, projectId, [
    ...oneTurnThreads(5, monday),
    { threadId: '会話-ünïcode', startedAt: monday, durationMs: 5 },
  ])
  await signIn('/threads')
  await page.getByRole('button', { name: 'Thread ids' }).click()
  await page.getByRole('textbox', { name: 'Thread ids' }).fill('thread-0002\n"会話-ünïcode", nowhere')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect
    .poll(async () => (await readTable(page, name)).map((row) => row['Thread'] ?? '').toSorted())
    .toEqual(['thread-0002', '会話-ünïcode'])
})

test('a window counts the turns inside it, and says so', async ({ page, client, projectId, signIn }) => {
  const now = Date.now()
  await writeTurns(client, projectId, [
    { threadId: 'long', startedAt: now - 7_200_000, durationMs: 9000 },
    { threadId: 'long', startedAt: now - 60_000, durationMs: 100 },
    { threadId: 'old', startedAt: now - 86_400_000 * 3, durationMs: 5 },
  ])
  await signIn('/threads')
  await expect.poll(async () => (await readTable(page, name)).length).toBe(2)
  await page.getByText('1 h', { exact: true }).click()
  await expect
    .poll(async () => (await readTable(page, name)).map((row) => [row['Thread'], row['Turns']]))
    .toEqual([['long', '1']])
  await expect(page.getByRole('main')).toContainText(/turns (that )?started/i)
})

test('a running turn has no duration, and a thread of few turns marks its p99', async ({ page, client, projectId, signIn }) => {
  await writeTurns(client, projectId, [{ threadId: 'running', startedAt: monday }])
  await writeTurns(client, projectId, [{ threadId: 'short', startedAt: monday + 1000, durationMs: 250 }])
  await signIn('/threads?sort=thread_id')
  await expect.poll(async () => (await readTable(page, name)).map((row) => row['Thread'])).toEqual(['running', 'short'])
  const [running, short] = await readTable(page, name)
  for (const column of ['p50', 'p99', 'Elapsed']) expect(running?.[column], column).toMatch(/no finished turn/)
  expect(short?.['Elapsed']).toBe('250 ms')
  expect(short?.['p99']).toMatch(/^of 1\s*250 ms$/)
})

test('a stream cut half-way keeps what came, says it is partial, and a retry completes it', async ({
  page,
  client,
  projectId,
  service,
  expectedConsoleErrors,
}) => {
  await writeTurns(client, projectId, oneTurnThreads(200, monday))
  let isCutting = true
  const proxy = await FaultProxy.start(service.url, ({ url }) =>
    isCutting && url === '/threads/stream_query' ? { cutAfterBytes: 4000 } : {},
  )
  expectedConsoleErrors.push('ERR_INCOMPLETE_CHUNKED_ENCODING', 'ERR_CONTENT_LENGTH_MISMATCH', 'ERR_EMPTY_RESPONSE')
  // Uncompressed, so that a number of bytes is a number of rows.
  await page.route('**/threads/stream_query', (route) =>
    route.continue({ headers: { ...route.request().headers(), 'accept-encoding': 'identity' } }),
  )
  await page.goto(`${proxy.url}/connection`)
  await signInByForm(page, projectId)
  await expect(page.getByRole('table')).toBeVisible()
  await page.goto(`${proxy.url}/threads?size=200`)
  await expect(page.getByText(/Partial: the response ended after \d+ rows/)).toBeVisible()
  const came = (await readTable(page, name)).length
  expect(came).toBeGreaterThan(0)
  expect(came).toBeLessThan(200)
  isCutting = false
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect.poll(async () => (await readTable(page, name)).length).toBe(200)
  await expect(page.getByText(/Partial/)).toBeHidden()
  proxy.close()
})

test('with refresh on, new threads wait behind a count and rows do not move until it is pressed', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  await page.clock.install()
  await writeTurns(client, projectId, oneTurnThreads(3, monday))
  await signIn('/threads')
  await expect.poll(async () => (await readTable(page, name)).length).toBe(3)
  await page.getByRole('button', { name: 'Refresh every' }).click()
  await page.getByRole('menuitemradio', { name: /10 s/ }).click()
  await writeTurns(client, projectId, [{ threadId: 'newest', startedAt: monday + 3_600_000, durationMs: 1 }])
  await page.clock.runFor(11_000)
  const newer = page.getByRole('button', { name: '1 newer' })
  await expect(newer).toBeVisible()
  expect((await readTable(page, name)).map((row) => row['Thread'])).not.toContain('newest')
  await newer.click()
  await expect.poll(async () => (await readTable(page, name))[0]?.['Thread']).toBe('newest')
})

test('rows answer the keyboard: arrows, Enter, j, Escape, Space', async ({ page, client, projectId, signIn }) => {
  await writeTurns(client, projectId, oneTurnThreads(5, monday))
  await signIn('/threads?sort=thread_id')
  await expect.poll(async () => (await readTable(page, name)).length).toBe(5)
  await page.getByRole('row').nth(1).getByRole('button').first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/row=thread-0002/)
  await page.keyboard.press('j')
  await expect(page).toHaveURL(/row=thread-0003/)
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/row=/)
  await page.keyboard.press(' ')
  await expect(page.getByRole('navigation', { name: 'Pages of the table' })).toContainText('1 selected')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/row=thread-0005/)
})

test('one switch sets the zone of every time on the page', async ({ page, client, projectId, signIn }) => {
  await writeTurns(client, projectId, [{ threadId: 'a', startedAt: Date.UTC(2026, 0, 5, 23, 30), durationMs: 1 }])
  await signIn('/threads')
  await expect.poll(async () => (await readTable(page, name))[0]?.['Start']).toContain('2026-01-06 00:30:00')
  await page.getByRole('button', { name: /Local|Time zone/ }).click()
  await page.getByRole('menuitemradio', { name: /UTC/ }).click()
  await expect.poll(async () => (await readTable(page, name))[0]?.['Start']).toContain('2026-01-05 23:30:00')
  await expect(page.getByRole('columnheader', { name: /Start/ })).toContainText('UTC')
})
