import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright/test'
import { FaultProxy } from './fault-proxy'
import { findViolations } from './find-violations'
import { expect, signInByForm, test } from './fixtures'
import type { SpoolClient } from './spool-client'
import { writeTurns } from './turns'

const monday = Date.UTC(2026, 0, 5, 9)
const hourMs = 3_600_000

type CallSeed = { name: string; startMs: number; durationMs: number }

/** Writes a turn with calls below it, each `startMs` after the turn's start. Returns the id of the turn. */
async function writeTree(
  client: SpoolClient,
  projectId: string,
  { threadId, startedAt, durationMs, question }: { threadId: string; startedAt: number; durationMs: number; question: string },
  calls: readonly CallSeed[],
): Promise<string> {
  const turnId = randomUUID()
  const trace_id = randomUUID()
  const all = [{ id: turnId, name: 'answer', startMs: 0, durationMs }, ...calls.map((call) => ({ ...call, id: randomUUID() }))]
  const batch = all.flatMap(({ id, name, startMs, durationMs: ownMs }) => {
    const start = {
      project_id: projectId,
      id,
      trace_id,
      op_name: name,
      started_at: new Date(startedAt + startMs).toISOString(),
      thread_id: threadId,
      turn_id: turnId,
      ...(id !== turnId && { parent_id: turnId }),
      attributes: {},
      inputs: { question },
    }
    const end = {
      project_id: projectId,
      id,
      ended_at: new Date(startedAt + startMs + ownMs).toISOString(),
      summary: {},
      output: 'x',
    }
    return [
      { mode: 'start', req: { start } },
      { mode: 'end', req: { end } },
    ]
  })
  await client.postJson('/call/upsert_batch', { batch })
  return turnId
}

const turnRow = (page: Page, number: number) =>
  page.getByRole('list', { name: 'Turns' }).getByRole('button', { name: `Turn ${number}` })

/** A thread whose third turn of five took six minutes, because of one call, and a quick thread. */
async function writeSlowThread(client: SpoolClient, projectId: string): Promise<{ slowTurnId: string; lastTurnId: string }> {
  await writeTurns(client, projectId, [{ threadId: 'quick', startedAt: monday + hourMs, durationMs: 50 }])
  const quick = (index: number) =>
    writeTree(
      client,
      projectId,
      { threadId: 'slow', startedAt: monday + index * 60_000, durationMs: 1000 + index, question: `Question ${index + 1}` },
      [{ name: 'model', startMs: 10, durationMs: 900 }],
    )
  await quick(0)
  await quick(1)
  const slowTurnId = await writeTree(
    client,
    projectId,
    { threadId: 'slow', startedAt: monday + 2 * hourMs, durationMs: 360_000, question: 'May I have my money back?' },
    [
      { name: 'model', startMs: 10, durationMs: 900 },
      { name: 'hand_over', startMs: 1000, durationMs: 358_000 },
    ],
  )
  await quick(200)
  return { slowTurnId, lastTurnId: await quick(210) }
}

test('from a p99 of minutes to the call that caused it in four actions', async ({ page, client, projectId, signIn }) => {
  const { slowTurnId } = await writeSlowThread(client, projectId)
  await signIn('/threads')
  await page.getByRole('button', { name: 'p99', exact: true }).click() // 1: the slowest first
  await page.getByRole('button', { name: 'slow', exact: true }).click() // 2: its turns
  const panel = page.getByRole('dialog', { name: 'Thread slow' })
  await expect(panel).toContainText('idle 1 h 59 min')
  await expect(turnRow(page, 3)).toContainText('p99')
  await expect(turnRow(page, 3)).toContainText('May I have my money back?')
  await panel.getByRole('button', { name: /^p99.*turns/ }).click() // 3: the turn that is the p99
  await expect(page).toHaveURL(new RegExp(`turn=${slowTurnId}`))
  await panel.getByRole('gridcell', { name: /hand_over/ }).click() // 4: the call that took so long
  await expect(page).toHaveURL(/call=/)
  await expect(panel.getByRole('heading', { name: /hand_over/ })).toBeVisible()

  const address = page.url()
  await page.reload()
  await expect(panel.getByRole('heading', { name: /hand_over/ })).toBeVisible()
  expect(page.url()).toBe(address)
  await page.goBack()
  await page.goBack()
  await expect(turnRow(page, 3)).toBeVisible()
  await expect(page).not.toHaveURL(/turn=/)
  // Another thread has other turns.
  await turnRow(page, 1).click()
  await page.getByRole('button', { name: 'quick', exact: true }).click()
  await expect(page).not.toHaveURL(/turn=/)
})

test('by keyboard too, four keys lead from a p99 of minutes to the call that caused it', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  await writeSlowThread(client, projectId)
  await signIn('/threads')
  await page.getByRole('button', { name: 'p99', exact: true }).focus()
  await page.keyboard.press('Enter') // 1: the slowest first
  await expect(page).toHaveURL(/sort=-p99/)
  await expect(page.locator('tbody [data-row-button]').first()).toHaveText('slow')
  await page.getByRole('button', { name: 'slow', exact: true }).focus()
  await page.keyboard.press('Enter') // 2: its turns
  const panel = page.getByRole('dialog', { name: 'Thread slow' })
  await panel.getByRole('button', { name: /^p99.*turns/ }).focus()
  await page.keyboard.press('Enter') // 3: the turn that is the p99
  const tree = panel.getByRole('treegrid', { name: 'Calls of this turn' })
  await expect(tree.getByRole('row', { name: /hand_over/ })).toBeVisible()
  await tree.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter') // 4: the call that took so long
  await expect(panel.getByRole('heading', { name: /hand_over/ })).toBeFocused()
})

test('beside the list too, a turn that is opened by a key takes the focus to its heading', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  await writeSlowThread(client, projectId)
  await page.setViewportSize({ width: 1920, height: 900 })
  await signIn('/threads/slow')
  await page.getByRole('button', { name: /^p99.*turns/ }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Turn 3 of 5' })).toBeFocused()
})

test('a thread that is followed shows new turns when asked to, and finished ones at once', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const threadId = 'followed'
  const [, runningId] = await writeTurns(client, projectId, [
    { threadId, startedAt: monday, durationMs: 2000 },
    { threadId, startedAt: monday + 60_000 },
  ])
  await signIn('/threads/followed')
  await page.getByRole('button', { name: 'Live', exact: true }).click()
  await expect(page.getByText('Live', { exact: true }).last()).toBeVisible()
  await expect(turnRow(page, 2)).toContainText('running')
  const ended_at = new Date(monday + 65_000).toISOString()
  await client.postJson('/call/end', { end: { project_id: projectId, id: runningId, ended_at, summary: {}, output: 'x' } })
  await writeTurns(client, projectId, [{ threadId, startedAt: monday + 120_000, durationMs: 3000 }])
  await expect(turnRow(page, 2)).toContainText('5.00 s')
  const waiting = page.getByRole('button', { name: '1 new turn' })
  await expect(waiting).toBeVisible()
  await expect(turnRow(page, 3)).toBeHidden()
  await waiting.click()
  await expect(turnRow(page, 3)).toBeFocused()
  await expect(waiting).toBeHidden()
})

test('the turns have keys: arrows, Enter, j and k, c, Escape', async ({ page, client, projectId, signIn }) => {
  const { slowTurnId, lastTurnId } = await writeSlowThread(client, projectId)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn('/threads/slow')
  await expect(turnRow(page, 5)).toBeVisible()
  await turnRow(page, 1).focus()
  await page.keyboard.press('End')
  await expect(turnRow(page, 5)).toBeFocused()
  await page.keyboard.press('c')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(lastTurnId)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('k')
  await expect(turnRow(page, 3)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`turn=${slowTurnId}`))
  const open = page.getByRole('heading', { level: 3 })
  await expect(open).toHaveText('Turn 3 of 5')
  await page.keyboard.press('j')
  await expect(open).toHaveText('Turn 4 of 5')
  // The keys of an open menu are its own.
  const compare = page.getByRole('button', { name: 'Compare' })
  await compare.press('Enter')
  const item = page.getByRole('menuitem', { name: 'Choose in the list…' })
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('k')
  await expect(item).toBeVisible()
  await expect(open).toHaveText('Turn 4 of 5')
  await page.keyboard.press('Escape')
  await expect(item).toBeHidden()
  await expect(compare).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/turn=/)
  await expect(turnRow(page, 4)).toBeFocused()
  // One step back opens the turn that was open: stepping with j replaced the one before.
  await page.goBack()
  await expect(open).toHaveText('Turn 4 of 5')
})

test('two turns beside each other show which call took longer; the address keeps the comparison', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const { slowTurnId } = await writeSlowThread(client, projectId)
  await signIn(`/threads/slow?turn=${slowTurnId}`)
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByRole('menuitem', { name: 'Choose in the list…' }).click()
  await turnRow(page, 1).click()
  await expect(page).toHaveURL(/compare=/)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Turn 3 compared with turn 1' })).toBeVisible()
  const calls = page.getByRole('table', { name: 'Calls of both turns, by name' })
  await expect(calls.getByRole('row').nth(1)).toHaveText(/hand_over.*5 min 58 s.*none.*\+5 min 58 s/)
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/compare=/)
  await expect(page.getByRole('gridcell', { name: /hand_over/ })).toBeVisible()
})

test('a thread has a page of its own, whatever its id; turns that run have no duration', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const threadId = 'chat/7 100%25 \u202E.json'
  await writeTurns(client, projectId, [
    { threadId, startedAt: monday, durationMs: 2000 },
    { threadId, startedAt: monday + 60_000 },
  ])
  await page.setViewportSize({ width: 320, height: 640 })
  await signIn('/threads')
  await page.getByRole('button', { name: 'chat/7' }).click()
  await expect(turnRow(page, 2)).toContainText('running')
  await turnRow(page, 1).click()
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Open in new tab' }).click()
  const tab = await opened
  await expect(tab).toHaveURL(/\/threads\/chat%2F7%20100%2525%20%E2%80%AE\.json\?turn=/)
  await expect(tab.getByRole('heading', { level: 1 })).toHaveText(String.raw`chat/7 100%25 \u202E.json`)
  await expect(tab.getByRole('heading', { level: 3 })).toHaveText('Turn 1 of 2')
  await tab.close()

  await page.getByRole('button', { name: 'All turns' }).click()
  await expect(turnRow(page, 1)).toBeFocused()
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  expect(await findViolations(page, '[role=dialog]')).toEqual([])

  await page.goto('/threads/nobody')
  await expect(page.getByRole('main')).toContainText('There is no such thread.')
})

test('at 320 px the figures of a turn stay in its row, also with a long model', async ({ page, client, projectId, signIn }) => {
  const model = 'ft:model-of-a-company:with-a-long-name:2026-11'
  const price = { prompt_token_cost: 123, completion_token_cost: 1, effective_date: '2020-01-01' }
  await client.postJson('/cost/create', { project_id: projectId, costs: { [model]: price } })
  const usage = { [model]: { prompt_tokens: 37_135_799, completion_tokens: 1000 } }
  await writeTurns(client, projectId, [{ threadId: 'a', startedAt: monday, durationMs: 2000, usage }])
  await page.setViewportSize({ width: 320, height: 640 })
  await signIn('/threads/a')
  await expect(turnRow(page, 1)).toContainText('37,136,799 tokens')
  expect(await turnRow(page, 1).evaluate((row) => row.scrollHeight - row.clientHeight)).toBeLessThanOrEqual(0)
})

for (const width of [320, 1280]) {
  test(`in the panel the cost of a turn is whole, at ${width} px`, async ({ page, client, projectId, signIn }) => {
    const euros = { prompt_token_cost_unit: 'EUR', completion_token_cost_unit: 'EUR', effective_date: '2020-01-01' }
    const price = { prompt_token_cost: 0.00001, completion_token_cost: 0, ...euros }
    await client.postJson('/cost/create', { project_id: projectId, costs: { 'a-model-with-a-long-name': price } })
    const tokens = { prompt_tokens: 123_456, completion_tokens: 0 }
    const usage = { 'claude-sonnet-4-5': tokens }
    await writeTurns(client, projectId, [
      { threadId: 'a', startedAt: monday, durationMs: 2000, usage: { ...usage, 'a-model-with-a-long-name': tokens } },
      // Its start has a date, because it is of another day.
      { threadId: 'a', startedAt: monday + 86_400_000, durationMs: 2000, usage },
    ])
    await page.setViewportSize({ width, height: 800 })
    await signIn('/threads')
    await page.locator('tbody [data-row-button]').first().click()
    for (const [number, text] of [
      [1, '1.23 EUR, 0.37 USD'],
      [2, '0.37 USD'],
    ] as const) {
      const cost = turnRow(page, number).getByText(text)
      await expect(cost).toBeVisible()
      expect(await cost.evaluate(isWhole), text).toBe(true)
    }
  })
}

/** Whether all of an element can be seen: no ancestor cuts it. */
function isWhole(element: Element): boolean {
  const { right, bottom } = element.getBoundingClientRect()
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    if (getComputedStyle(parent).overflow === 'visible') continue
    const box = parent.getBoundingClientRect()
    if (right > box.right + 0.5 || bottom > box.bottom + 0.5) return false
  }
  return true
}

test('at 320 px what is long in a turn, its tree and a comparison stays on the page', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const model = 'm'.repeat(300)
  const currency = 'a-currency-of-many-letters'
  const units = { prompt_token_cost_unit: currency, completion_token_cost_unit: currency }
  const costs = { [model]: { prompt_token_cost: 123, completion_token_cost: 1, effective_date: '2020-01-01', ...units } }
  await client.postJson('/cost/create', { project_id: projectId, costs })
  const usage = {
    [model]: { prompt_tokens: 12, completion_tokens: 0 },
    'gpt-4o-mini': { prompt_tokens: 12, completion_tokens: 0 },
  }
  const [first = '', second = ''] = await writeTurns(client, projectId, [
    { threadId: 'a', startedAt: monday, durationMs: 2000, usage },
    { threadId: 'a', startedAt: monday + 5000, durationMs: 50_000, usage },
  ])
  await page.setViewportSize({ width: 320, height: 640 })
  await signIn(`/threads/a?turn=${second}`)
  await expect(page.getByRole('treegrid')).toBeVisible()
  const listWide = () =>
    page
      .getByRole('main')
      .evaluate((main) =>
        [main, ...main.querySelectorAll('*')]
          .filter((each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX === 'auto')
          .map((each) => each.className),
      )
  expect(await listWide()).toEqual([])
  const boxOf = async (name: string | RegExp, role: 'searchbox' | 'button') => page.getByRole(role, { name }).boundingBox()
  const search = await boxOf('Find a call by name', 'searchbox')
  const nextError = await boxOf('Next error', 'button')
  expect(nextError?.y).toBeGreaterThanOrEqual((search?.y ?? Infinity) + (search?.height ?? 0))
  // The times of the axis are whole.
  const axis = page.locator('.waterfall-axis')
  await expect(axis).toContainText('50 s')
  expect(await axis.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)

  await page.goto(`/threads/a?turn=${second}&compare=${first}`)
  const figures = page.getByRole('table', { name: 'Figures of both turns' })
  await expect(figures.getByRole('row', { name: /^Model/ })).toBeVisible()
  expect(await listWide()).toEqual([])
  // No word is broken: a line of them is one line high.
  const status = figures.getByRole('row', { name: /^Status/ }).getByText('succeeded')
  expect(await status.evaluateAll((all) => all.map((each) => each.getClientRects().length))).toEqual([1, 1])
})

test('a failed turn says why before any call is opened, in one line that cannot do harm', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const turnIds = [randomUUID(), randomUUID(), randomUUID()]
  const toolId = randomUUID()
  const hostile = '<img src=x onerror="document.title=1"> \u202Etxt.exe שלום'
  const calls = [
    { id: turnIds[0], exception: `${hostile}\n    at f (a.js:1:2)` },
    { id: turnIds[1], exception: null },
    {
      id: toolId,
      turn: turnIds[1],
      exception: 'Traceback (most recent call last):\n  File "a.py", line 1\n    f()\nKeyError: 1042',
    },
    { id: turnIds[2], exception: 'x'.repeat(1_000_000) },
  ]
  const batch = calls.flatMap(({ id, turn, exception }, index) => {
    const start = {
      project_id: projectId,
      id,
      trace_id: turn ?? id,
      op_name: turn ? 'find_order' : 'answer',
      started_at: new Date(monday + index * 1000).toISOString(),
      ...(turn ? { parent_id: turn } : { thread_id: 'failed', turn_id: id }),
      attributes: {},
      inputs: { question: 'Where is it?' },
    }
    const ended_at = new Date(monday + index * 1000 + 10_000).toISOString()
    const end = { project_id: projectId, id, ended_at, summary: {}, output: null, ...(exception !== null && { exception }) }
    return [
      { mode: 'start', req: { start } },
      { mode: 'end', req: { end } },
    ]
  })
  await client.postJson('/call/upsert_batch', { batch })
  await signIn('/threads/failed')
  const shown = String.raw`<img src=x onerror="document.title=1"> \u202Etxt.exe שלום`
  await expect(turnRow(page, 1)).toContainText(shown)
  await expect(turnRow(page, 1)).not.toContainText('at f')
  await expect(turnRow(page, 2)).toContainText('find_order: KeyError: 1042')
  await expect(turnRow(page, 3)).toContainText(`${'x'.repeat(239)}…`)
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 640 })
    for (const number of [1, 2, 3]) {
      expect(await turnRow(page, number).evaluate((row) => row.scrollHeight - row.clientHeight)).toBeLessThanOrEqual(0)
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  }
  expect(await page.title()).not.toBe('1')
  expect(await findViolations(page)).toEqual([])

  await page.setViewportSize({ width: 1280, height: 800 })
  await turnRow(page, 2).click()
  await page.getByRole('region', { name: 'Turn 2' }).getByRole('button', { name: 'find_order: KeyError: 1042' }).click()
  await expect(page).toHaveURL(new RegExp(`call=${toolId}`))
  await expect(page.getByRole('region', { name: 'Call find_order' })).toContainText('KeyError: 1042')
})

test('while turns follow, the open turn names no number of them, and the percentiles have their place', async ({
  page,
  client,
  projectId,
  service,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push('Failed to load resource')
  const turns = Array.from({ length: 150 }, (_, index) => ({ threadId: 'a', startedAt: monday + index * 2000, durationMs: 1000 }))
  const ids = await writeTurns(client, projectId, turns)
  let isCut = true
  const proxy = await FaultProxy.start(service.url, ({ url }) =>
    url === '/threads/turns' && isCut ? { cutAfterBytes: 20_000 } : {},
  )
  await page.goto(`${proxy.url}/connection`)
  await signInByForm(page, projectId)
  await page.goto(`${proxy.url}/threads/a?turn=${ids[5]}`)
  const heading = page.getByRole('heading', { level: 3 })
  await expect(page.getByText(/^at least \d+ turns$/)).toBeVisible()
  await expect(heading).toHaveText('Turn 6')
  const chart = page.locator('main svg[viewBox$=" 64"]')
  const before = await chart.boundingBox()
  isCut = false
  await expect(heading).toHaveText('Turn 6 of 150')
  await expect(page.getByRole('button', { name: /^p99/ })).toBeVisible()
  expect((await chart.boundingBox())?.y).toBe(before?.y)
  proxy.close()
})

test('where the turns cannot be read, the view says so and keeps the figures', async ({
  page,
  client,
  projectId,
  signIn,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push('Failed to load resource')
  await writeTurns(client, projectId, [{ threadId: 'a', startedAt: monday, durationMs: 2000 }])
  for (const path of ['**/threads/turns', '**/calls/stream_query']) {
    await page.route(path, (route) => route.fulfill({ status: 404, body: '' }))
  }
  await signIn('/threads?row=a')
  const panel = page.getByRole('dialog', { name: 'Thread a' })
  await expect(panel).toContainText('This service does not list turns')
  await expect(panel).toContainText('p99 turn duration')
  await page.route('**/threads/turns', (route) => route.fulfill({ status: 500, body: '{"detail":"The disk is full."}' }))
  await page.reload()
  await expect(panel).toContainText('The turns could not be read')
  await expect(panel).toContainText('The disk is full.')
})

test('at 320 px the ways to the p50 and the p99 are beside each other', async ({ page, client, projectId, signIn }) => {
  await writeSlowThread(client, projectId)
  await page.setViewportSize({ width: 320, height: 640 })
  await signIn('/threads?row=slow')
  const [p50, p99] = ['p50', 'p99'].map((name) => page.getByRole('button', { name: new RegExp(`^${name} .*turn`) }))
  await expect(p50!).toBeVisible()
  expect((await p50!.boundingBox())?.y).toBe((await p99!.boundingBox())?.y)
})
