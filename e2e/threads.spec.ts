import type { Locator, Page } from 'playwright/test'
import { beSlow } from './be-slow'
import { expectRow } from './expect-row'
import { findViolations } from './find-violations'
import { expect, readTable, test } from './fixtures'
import { FaultProxy } from './fault-proxy'
import { signInByForm } from './fixtures'
import { oneTurnThreads, writeTurns } from './turns'

const monday = Date.UTC(2026, 0, 5, 9)
const name = 'Threads'

test('a header sorts descending, ascending, and not at all; its URL opens the same view', async ({
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

  const readIds = async (from: typeof page) => (await readTable(from, name)).map((row) => row['Thread'])
  const ids = await readIds(page)
  const address = page.url()
  expect(address).toContain('sort=')
  await page.reload()
  await expect.poll(async () => readIds(page)).toEqual(ids)
  const other = await page.context().newPage()
  await other.goto(address)
  await expect.poll(async () => readIds(other)).toEqual(ids)
  await other.close()

  await header.getByRole('button', { name: 'p99', exact: true }).click()
  await expect(header).not.toHaveAttribute('aria-sort')
  await page.goBack()
  await expect(header).toHaveAttribute('aria-sort', 'ascending')
})

/** The bodies of the requests for rows from now on. */
function watchRowRequests(page: Page): string[] {
  const bodies: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/threads/stream_query')) bodies.push(request.postData() ?? '')
  })
  return bodies
}

test('a sort sends one request, whether the pointer rests on the header before or not', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  await writeTurns(client, projectId, oneTurnThreads(60, monday))
  await signIn('/threads')
  const header = page.getByRole('button', { name: 'p99', exact: true })
  // A service that was slow is not asked ahead, and it may be slow at first.
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('table', { name })).toHaveAttribute('aria-busy', 'false')
    const asked = watchRowRequests(page)
    await header.hover()
    await expect.poll(() => asked.length, { timeout: 1000 }).toBe(1)
    await header.click()
    await expect.poll(async () => (await readTable(page, name))[0]?.['Thread']).toContain('thread-0060')
    expect(asked).toHaveLength(1)
  }).toPass()

  const asked = watchRowRequests(page)
  const other = page.getByRole('button', { name: 'p50', exact: true })
  await other.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('columnheader', { name: /^p50/ })).toHaveAttribute('aria-sort', 'descending')
  await expect(page.getByRole('table', { name })).toHaveAttribute('aria-busy', 'false')
  // The focus rests on the header, and nobody means its next press. That nothing is sent can only be waited for.
  await page.waitForTimeout(200)
  expect(asked).toHaveLength(1)
})

test('a pointer that passes over headers sends nothing', async ({ page, client, projectId, signIn }) => {
  await writeTurns(client, projectId, oneTurnThreads(60, monday))
  await signIn('/threads')
  await expect(page.getByRole('table', { name })).toHaveAttribute('aria-busy', 'false')
  const asked = watchRowRequests(page)
  await page.evaluate(() => {
    for (const button of document.querySelectorAll('.sort-button')) {
      // React makes its enter and leave of these. A real pointer would be slower on a loaded machine.
      const options = { bubbles: true, pointerType: 'mouse', relatedTarget: document.body }
      button.dispatchEvent(new PointerEvent('pointerover', options))
      button.dispatchEvent(new PointerEvent('pointerout', options))
    }
  })
  // Five times as long as a pointer has to rest before anything is sent: that nothing comes can only be waited for.
  await page.waitForTimeout(300)
  expect(asked).toEqual([])
})

test('rows that were read ahead are not shown after the filters have changed', async ({ page, client, projectId, signIn }) => {
  await writeTurns(client, projectId, oneTurnThreads(60, monday))
  await signIn('/threads')
  await expect(page.getByRole('table', { name })).toHaveAttribute('aria-busy', 'false')
  const header = page.getByRole('button', { name: 'p99', exact: true })
  await header.hover()
  // The rows have come by then. A service that was slow at first is not asked ahead, so the request cannot be waited for.
  await page.waitForTimeout(200)
  const asked = watchRowRequests(page)
  await page.evaluate(() =>
    history.pushState(null, '', `${location.pathname}${location.search || '?'}&thread=thread-0003,thread-0007`),
  )
  await header.click()
  await expect(page.getByRole('columnheader', { name: /^p99/ }).first()).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(async () => (await readTable(page, name)).length).toBe(2)
  expect(asked.length).toBeGreaterThan(0)
  for (const body of asked) expect(body).toContain('thread-0007')
})

test('shift-click adds a second sort key', async ({ page, client, projectId, signIn }) => {
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

test('the footer says which rows are shown and whether more follow, without a total', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
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

test('an empty project says what to do; filters that match nothing can be cleared', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
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

test('the focus stays near an action whose button goes away', async ({ page, client, projectId, signIn }) => {
  await writeTurns(client, projectId, oneTurnThreads(3, monday))
  await signIn('/threads?window=1h')
  const sortThreads = page.getByRole('columnheader', { name: 'Thread' }).getByRole('button').first()
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter')
  await expect(sortThreads).toBeFocused()

  await page.getByRole('checkbox', { name: 'Select thread-0001' }).press('Space')
  await page.getByRole('button', { name: 'Clear', exact: true }).press('Enter')
  await expect(page.getByRole('navigation', { name: 'Pages of the table' })).toBeFocused()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export', exact: true }).press('Enter')
  await expect(page.getByRole('menu'), 'figures that are read for a page only').toContainText(
    'All pages, without Errors, Cost, Tokens',
  )
  await page.getByRole('menuitem', { name: 'All pages as CSV' }).press('Enter')
  await download
  await expect(page.getByRole('button', { name: 'Export', exact: true })).toBeFocused()

  await page.goto('/threads?page=9')
  await page.getByRole('button', { name: 'Back to the first page' }).press('Enter')
  await expect(sortThreads).toBeFocused()
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
  await expect(page.getByRole('main')).toContainText('1 of 3 thread ids were not found: nowhere')
})

test('a time window counts only the turns inside it, and says so', async ({ page, client, projectId, signIn }) => {
  const now = Date.now()
  await writeTurns(client, projectId, [
    { threadId: 'long', startedAt: now - 7_200_000, durationMs: 9000 },
    { threadId: 'long', startedAt: now - 60_000, durationMs: 100 },
    { threadId: 'old', startedAt: now - 86_400_000 * 3, durationMs: 5 },
  ])
  await signIn('/threads')
  await expect.poll(async () => (await readTable(page, name)).length).toBe(2)
  await page.getByRole('button', { name: 'Turns started any time' }).click()
  await page.getByRole('radio', { name: 'In the last hour' }).click()
  await expectRow(page.getByRole('table', { name }), { Thread: 'long', Turns: 1 })
  await expect.poll(async () => (await readTable(page, name)).length).toBe(1)
  await expect(page.getByRole('main')).toContainText(/turns (that )?started/i)
})

test('a running turn has no duration, and a p99 of few turns says how many', async ({ page, client, projectId, signIn }) => {
  await writeTurns(client, projectId, [{ threadId: 'running', startedAt: monday }])
  await writeTurns(client, projectId, [
    { threadId: 'short', startedAt: monday + 1000, durationMs: 250 },
    { threadId: 'long', startedAt: monday + 2000, durationMs: 3_599_000 },
  ])
  // Nothing hidden.
  await signIn('/threads?sort=thread_id&hidden=')
  const table = page.getByRole('table', { name })
  const none = /no finished turn/
  await expectRow(table, { Thread: 'running', p50: none, p99: none, Elapsed: none })
  await expectRow(table, { Thread: 'short', Elapsed: '250 ms', p99: /^of 1 turn\s*250 ms$/ })
  await page.goto('/threads?sort=thread_id&slow=1')
  const ofLong = page.locator('.body-row').filter({ hasText: 'long' }).locator('[title^="Only 1 turn"]')
  await expect(page.locator('.body-row').filter({ hasText: 'long' })).toContainText('slow: 59 min 59 s')
  // Whole, on the one line that is seen.
  expect(await ofLong.evaluate((text) => [text.scrollWidth - text.clientWidth, text.scrollHeight - text.clientHeight])).toEqual([
    0, 0,
  ])
  // On a phone that stands beside the bar, not at the other edge of the row.
  await page.setViewportSize({ width: 320, height: 640 })
  const row = page.locator('.body-row').filter({ hasText: 'short' })
  const [bar, few] = await Promise.all(
    [row.locator('.percentile-track'), row.getByText('of 1 turn')].map((each) => each.boundingBox()),
  )
  expect((few?.x ?? Infinity) - ((bar?.x ?? 0) + (bar?.width ?? 0))).toBeLessThan(16)
})

test('an interrupted stream keeps its rows, says that they are partial, and a retry completes them', async ({
  page,
  client,
  projectId,
  service,
  expectedConsoleErrors,
}) => {
  await writeTurns(client, projectId, oneTurnThreads(200, monday))
  let isCutting = true
  let cutCount = 0
  const proxy = await FaultProxy.start(service.url, ({ url }) => {
    if (!isCutting || url !== '/threads/stream_query') return {}
    cutCount += 1
    return { cutAfterBytes: 4000 }
  })
  expectedConsoleErrors.push('ERR_INCOMPLETE_CHUNKED_ENCODING', 'ERR_CONTENT_LENGTH_MISMATCH', 'ERR_EMPTY_RESPONSE')
  await page.goto(`${proxy.url}/connection`)
  await signInByForm(page, projectId)
  await expect(page.getByRole('table')).toBeVisible()
  await page.goto(`${proxy.url}/threads?size=200`)
  const partial = page.getByText(/Partial: the response ended after \d+ rows/)
  await expect(partial).toBeVisible()
  // The rows are drawn after the message on a slow machine.
  await expect.poll(async () => (await readTable(page, name)).length).toBeGreaterThan(0)
  expect((await readTable(page, name)).length).toBeLessThan(200)
  // Still the same element after two more attempts: it was there the whole time.
  const message = await partial.elementHandle()
  const countBefore = cutCount
  await expect.poll(() => cutCount).toBeGreaterThan(countBefore + 2)
  expect(await message?.evaluate(({ isConnected }) => isConnected)).toBe(true)
  isCutting = false
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

for (const device of ['', ', also where answers are late']) {
  test(`rows have keys: arrows, Enter, j, Escape, Space${device}`, async ({ page, client, projectId, signIn }) => {
    await writeTurns(client, projectId, oneTurnThreads(5, monday))
    await signIn('/threads?sort=thread_id')
    await expect.poll(async () => (await readTable(page, name)).length).toBe(5)
    if (device) await beSlow(page)
    const shade = (index: number) =>
      page
        .getByRole('cell')
        .and(page.locator(`tr[data-index="${index}"] > [data-label=Turns]`))
        .evaluate((cell) => getComputedStyle(cell).backgroundColor)
    await page.getByRole('row').nth(1).getByRole('button').first().focus()
    await page.keyboard.press('ArrowDown')
    // The row with the focus stands out, and only that one.
    expect(await shade(1)).not.toBe(await shade(2))
    expect(await shade(0)).toBe(await shade(2))
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/row=thread-0002/)
    await page.keyboard.press('j')
    await expect(page).toHaveURL(/row=thread-0003/)
    // Keys that follow each other at once are a step each.
    for (const key of ['j', 'j']) await page.keyboard.press(key)
    await expect(page).toHaveURL(/row=thread-0005/)
    // The focus goes back to the row that was opened last, also where the panel has not shown it yet.
    for (const key of ['k', 'k', 'Escape']) await page.keyboard.press(key)
    await expect(page).not.toHaveURL(/row=/)
    await expect(page.getByRole('button', { name: 'thread-0003' })).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowUp')
    await expect(page.getByRole('cell', { name: '2.00 ms' }).first()).toBeFocused()
    await expect(page.getByRole('cell', { name: '2.00 ms' }).first()).toHaveAccessibleDescription('2 ms')
    await expect(page.getByRole('tooltip')).toHaveText('2 ms')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press(' ')
    await expect(page.getByRole('navigation', { name: 'Pages of the table' })).toContainText('1 selected')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/row=thread-0005/)
  })
}

test('a panel that is closed and opened again within a frame has the focus', async ({ page, client, projectId, signIn }) => {
  await writeTurns(client, projectId, oneTurnThreads(2, monday))
  await signIn('/threads?sort=thread_id')
  await page.getByRole('button', { name: 'thread-0001' }).focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: 'Thread thread-0001' })
  await expect(panel).toBeFocused()
  // No frame passes between the keys.
  await page.evaluate(() => {
    window.requestAnimationFrame = (callback) => window.setTimeout(() => callback(performance.now()), 500)
    window.cancelAnimationFrame = (id) => window.clearTimeout(id)
  })
  for (const key of ['Escape', 'Enter']) await page.keyboard.press(key)
  await expect(panel).toBeFocused()
})

test('in a narrow window Escape leads from a menu of the folded tools back to them, and to their button', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  await writeTurns(client, projectId, oneTurnThreads(2, monday))
  await page.setViewportSize({ width: 320, height: 640 })
  await signIn('/threads')
  const tools = page.getByRole('button', { name: 'Filters and tools' })
  await tools.press('Enter')
  for (const tool of ['Columns', 'More filters']) {
    const button = page.getByRole('button', { name: tool, exact: true })
    await button.press('Enter')
    await expect(page.getByRole(tool === 'Columns' ? 'menu' : 'dialog', { name: tool })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(button).toBeFocused()
  }
  await page.keyboard.press('Escape')
  await expect(tools).toBeFocused()
})

for (const device of ['', ', also where answers are late']) {
  test(`the panel of a row pushes the table; in a narrow window it is a page, with a way back to the row${device}`, async ({
    page,
    client,
    projectId,
    signIn,
  }) => {
    await writeTurns(client, projectId, oneTurnThreads(60, monday))
    await page.setViewportSize({ width: 1280, height: 720 })
    await signIn('/threads?sort=last_updated&hidden=')
    if (device) await beSlow(page)
    const row = page.getByRole('button', { name: 'thread-0040' })
    await row.focus()
    await page.keyboard.press('Enter')
    const panel = page.getByRole('dialog', { name: 'Thread thread-0040' })
    await expect(panel).toBeFocused()
    const table = page.getByRole('table', { name })
    const headers = table.getByRole('columnheader')
    const edgeOf = async (locator: Locator) => {
      const box = await locator.boundingBox()
      return { left: box?.x ?? 0, right: (box?.x ?? 0) + (box?.width ?? 0) }
    }
    // The first columns and the one that sorts the rows are beside the panel, not below it.
    for (const label of ['Thread', 'Turns', 'p50', 'p99', 'Last updated']) {
      expect((await edgeOf(headers.and(page.locator(`[data-label="${label}"]`)))).right).toBeLessThanOrEqual(
        (await edgeOf(panel)).left,
      )
    }
    await expect(headers.filter({ hasText: 'First turn' })).toHaveCount(0)

    await page.setViewportSize({ width: 800, height: 720 })
    await expect(table).toBeHidden()
    const { left, right } = await edgeOf(panel)
    expect([left, right]).toEqual([76, 800])
    await page.getByRole('button', { name: 'Back to the table' }).click()
    await expect(row).toBeFocused()
    await expect(row).toBeInViewport()
    await page.keyboard.press('Enter')
    await expect(panel).toBeFocused()
    await page.goBack()
    await expect(row).toBeFocused()
  })
}

test('another row is opened by any of its cells, also while text of the panel is selected, and keys go on there', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  await writeTurns(client, projectId, oneTurnThreads(5, monday))
  await signIn('/threads?sort=thread_id')
  const turnsOf = (row: number) => page.locator(`tr[data-index="${row}"] > td[data-label=Turns]`)
  const panelOf = (id: string) => page.getByRole('dialog', { name: `Thread ${id}` })
  await turnsOf(0).click()
  await expect(panelOf('thread-0001')).toBeFocused()
  await turnsOf(1).click()
  await expect(panelOf('thread-0002')).toBeFocused()
  await page.keyboard.press('j')
  await expect(panelOf('thread-0003')).toBeVisible()
  await panelOf('thread-0003').getByRole('heading', { name: 'thread-0003' }).selectText()
  await page.getByRole('button', { name: 'thread-0005' }).click()
  await expect(panelOf('thread-0005')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/row=/)
  await expect(page.getByRole('button', { name: 'thread-0005' })).toBeFocused()
})

test('a column is hidden by the keyboard, which goes on in the header before it; its border is dragged on both sides', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  await writeTurns(client, projectId, oneTurnThreads(2, monday))
  await signIn('/threads?hidden=')
  const header = (label: string) => page.locator(`th[data-label="${label}"]`)
  await header('p99').getByRole('button', { name: 'Options for p99' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Hide' }).press('Enter')
  await expect(header('p99')).toHaveCount(0)
  await expect(header('p50').getByRole('button').first()).toBeFocused()
  const widthOfTurns = async () => (await header('Turns').boundingBox())?.width ?? 0
  for (const fromBorder of [-2, 2]) {
    const box = await header('Turns').boundingBox()
    const before = await widthOfTurns()
    const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0), (box?.y ?? 0) + 20]
    // From within the header, as a hand comes that wants its border.
    await page.mouse.move(x - 12, y)
    await page.mouse.move(x + fromBorder, y, { steps: 4 })
    await page.mouse.down()
    await page.mouse.move(x + fromBorder + 30, y, { steps: 3 })
    await page.mouse.up()
    await expect.poll(widthOfTurns).toBe(before + 30)
  }
})

test('where answers are late, sorted rows come after the mark in the header, and a click opens the row that is seen', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  await writeTurns(client, projectId, oneTurnThreads(60, monday))
  await signIn('/threads?sort=thread_id&hidden=')
  await expect.poll(async () => (await readTable(page, name)).length).toBe(50)
  const firstRow = () => page.locator('tbody [data-row-button]').first()
  const first = await firstRow().textContent()
  await beSlow(page)
  // Rows of both orders are known, so that nothing but the device delays them.
  const header = page
    .getByRole('columnheader', { name: /^Thread/ })
    .getByRole('button')
    .first()
  await header.click()
  await expect(firstRow()).not.toHaveText(first ?? '')
  await page.goBack()
  await expect(firstRow()).toHaveText(first ?? '')
  const seen = await page.evaluate(async () => {
    document.querySelector<HTMLElement>('th[data-label=p99] .sort-button')?.click()
    await new Promise(requestAnimationFrame)
    const row = document.querySelector<HTMLElement>('tbody [data-row-button]')
    const sort = document.querySelector('th[data-label=p99]')?.getAttribute('aria-sort')
    row?.click()
    return { row: row?.textContent, sort, opened: new URLSearchParams(location.search).get('row') }
  })
  expect(seen.sort).toBe('descending')
  expect(seen.opened).toBe(seen.row)
  await expect(page.getByRole('dialog', { name: `Thread ${seen.row}` })).toBeVisible()

  // The second click comes before the table has followed the first.
  const marked = await page.evaluate(async () => {
    const button = document.querySelector<HTMLElement>('th[data-label=p50] .sort-button')
    button?.click()
    await Promise.resolve()
    const sort = document.querySelector('th[data-label=p50]')?.getAttribute('aria-sort')
    button?.click()
    return { sort, url: new URLSearchParams(location.search).get('sort') }
  })
  expect(marked.sort).toBe('descending')
  expect(marked.url).not.toContain('p50')
  await expect(page.getByRole('columnheader', { name: /^p50/ }).first()).toHaveAttribute('aria-sort', 'ascending')
  await expect(page).toHaveURL(/[?&]sort=p50_turn_duration_ms(&|$)/)

  // Whoever leaves the page before that has changed nothing of the next one.
  await page.evaluate(() => {
    document.querySelector<HTMLElement>('th[data-label=p99] .sort-button')?.click()
    document.querySelector<HTMLElement>('nav a[href^="/queues"]')?.click()
  })
  await expect(page.getByRole('heading', { level: 1, name: 'Queues' })).toBeVisible()
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))))
  expect(page.url()).not.toContain('sort=')
})

test('one menu sets the time zone of every time on the page', async ({ page, client, projectId, signIn }) => {
  await writeTurns(client, projectId, [{ threadId: 'a', startedAt: Date.UTC(2026, 0, 5, 23, 30), durationMs: 1 }])
  await signIn('/threads?hidden=')
  const table = page.getByRole('table', { name })
  await expectRow(table, { Thread: 'a', Start: /2026-01-06 00:30:00/ })
  await page.getByRole('button', { name: /Local|Time zone/ }).click()
  await page.getByRole('menuitemradio', { name: /UTC/ }).click()
  await expectRow(table, { Thread: 'a', Start: /2026-01-05 23:30:00/ })
  await expect(page.getByRole('columnheader', { name: /Start/ })).toContainText('UTC')
})

test('a view is saved, opened by its link, changed by two people and deleted', async ({
  page,
  client,
  projectId,
  signIn,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push('status of 409')
  await writeTurns(client, projectId, oneTurnThreads(3, Date.now() - 60_000))
  await signIn('/threads?window=24h&sort=-turn_count')
  const menu = (label: string) => page.getByRole('button', { name: label, exact: true })
  const choose = async (trigger: string, item: string) => {
    await menu(trigger).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await choose('Views', 'Save as new view…')
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Busy today')
  await page.keyboard.press('Enter')
  await expect(menu('View Busy today')).toBeVisible()
  await page.getByRole('button', { name: 'p99', exact: true }).click()
  await expect(menu('View Busy today, modified')).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  await choose('View Busy today, modified', 'Reset to saved')
  await expect(page).toHaveURL(/sort=-turn_count/)
  await expect(menu('View Busy today')).toBeVisible()

  // A link that names the view alone opens what it shows.
  const id = new URL(page.url()).searchParams.get('view-id')
  await page.goto(`/threads?view-id=${id}`)
  await expect(page).toHaveURL(/window=24h/)
  await expect(menu('View Busy today')).toBeVisible()
  await page.goto('/threads?size=25')
  await menu('Views').click()
  await page.getByRole('menuitemradio', { name: 'Busy today' }).click()
  await expect(page).toHaveURL(/window=24h/)

  // Somebody else changes it meanwhile.
  const { views } = (await client.postJson('/views/query', { project_id: projectId })) as {
    views: { id: string; updated_at: string }[]
  }
  await client.postJson('/views/update', { project_id: projectId, view_id: id, updated_at: views[0]?.updated_at, name: 'Ours' })
  await page.getByRole('button', { name: 'p50', exact: true }).click()
  await choose('View Busy today, modified', 'Save changes')
  await expect(page.getByRole('dialog')).toContainText('Somebody else has changed Ours')
  await page.getByRole('button', { name: 'Replace it' }).click()
  await expect(menu('View Ours')).toBeVisible()
  await choose('View Ours', 'Delete…')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(menu('Views')).toBeVisible()
  await expect(page).not.toHaveURL(/view-id/)
})

test('a live list says that there is more as soon as it is written', async ({ page, client, projectId, signIn }) => {
  await writeTurns(client, projectId, oneTurnThreads(2, Date.now() - 60_000))
  await signIn('/threads')
  await page.getByRole('button', { name: 'Refresh every' }).click()
  await page.getByRole('menuitemradio', { name: 'Live' }).click()
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  await writeTurns(client, projectId, [{ threadId: 'written-now', startedAt: Date.now(), durationMs: 5 }])
  await page.getByRole('button', { name: '1 newer' }).click()
  await expect(page.getByRole('table', { name: 'Threads' })).toContainText('written-now')
})

test('on paper are all rows of the page, under one head, without what only a screen needs', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  await writeTurns(client, projectId, oneTurnThreads(60, monday))
  await signIn('/threads')
  const table = page.getByRole('table', { name })
  await expect(table.getByRole('row')).toHaveCount(51)
  // The width of a sheet.
  await page.setViewportSize({ width: 720, height: 1000 })
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('button', { name: 'Next page' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Refresh', exact: true })).toBeHidden()
  await expect(page.getByRole('navigation', { name: 'Pages of the table' })).toContainText('Rows 1–50, more follow')
  const clipped = await table.evaluate((element) => {
    const { bottom, right } = element.getBoundingClientRect()
    const parents = []
    for (let parent = element.parentElement; parent; parent = parent.parentElement) parents.push(parent)
    return parents
      .map((parent) => ({ parent: parent.className, box: parent.getBoundingClientRect() }))
      .filter(({ box }) => box.bottom < bottom - 1 || box.right < right - 1)
      .map(({ parent }) => parent)
  })
  expect(clipped).toEqual([])
  const cut = await table
    .locator('td, th')
    .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).length)
  expect(cut).toBe(0)
})
