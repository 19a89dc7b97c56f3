import { randomUUID } from 'node:crypto'
import { expectRow, readRows } from './expect-row'
import type { Page } from 'playwright/test'
import { findViolations } from './find-violations'
import { expect, test as base } from './fixtures'
import type { SpoolClient } from './spool-client'

type Spent = {
  model: string
  daysAgo: number
  prompt: number
  completion?: number
  op?: string
  threadId?: string
  user?: string
}

const dayMs = 86_400_000

/** Writes one finished turn for each entry. */
async function writeSpent(client: SpoolClient, projectId: string, entries: readonly Spent[]): Promise<void> {
  const batch = entries.flatMap(({ model, daysAgo, prompt, completion = 0, op = 'answer', threadId = 't-1', user }) => {
    const id = randomUUID()
    const startedAt = Date.now() - daysAgo * dayMs - 60_000
    const start = {
      project_id: projectId,
      id,
      trace_id: randomUUID(),
      op_name: op,
      started_at: new Date(startedAt).toISOString(),
      thread_id: threadId,
      turn_id: id,
      attributes: user === undefined ? {} : { user: { id: user } },
      inputs: {},
    }
    const usage = { [model]: { prompt_tokens: prompt, completion_tokens: completion } }
    const ended_at = new Date(startedAt + 1000).toISOString()
    const end = { project_id: projectId, id, ended_at, summary: { usage }, output: '' }
    return [
      { mode: 'start', req: { start } },
      { mode: 'end', req: { end } },
    ]
  })
  await client.postJson('/call/upsert_batch', { batch })
}

/** A price of 1 and 2 USD a million tokens for each of these models. */
async function setPrices(client: SpoolClient, projectId: string, models: readonly string[]): Promise<void> {
  const price = { prompt_token_cost: 0.000001, completion_token_cost: 0.000002, effective_date: '2020-01-01' }
  await client.postJson('/cost/create', {
    project_id: projectId,
    costs: Object.fromEntries(models.map((model) => [model, price])),
  })
}

type SpendFixtures = {
  /** Writes a finished turn for each entry, and a price of 1 and 2 USD a million tokens for each of their models. */
  spend: (entries: readonly Spent[]) => Promise<void>
}

const test = base.extend<SpendFixtures>({
  spend: async ({ client, projectId }, use) =>
    use(async (entries) => {
      await setPrices(client, projectId, [...new Set(entries.map(({ model }) => model))])
      await writeSpent(client, projectId, entries)
    }),
})

/** 3 and 1 USD. */
const twoModels: readonly Spent[] = [
  { model: 'house-a', daysAgo: 1, prompt: 3_000_000 },
  { model: 'house-b', daysAgo: 2, prompt: 500_000, completion: 250_000 },
]

test('costs open with the prices, and with the spend once calls have usage', async ({ page, spend, signIn }) => {
  await signIn('/costs')
  await expect(page.getByRole('radio', { name: 'Prices' })).toBeChecked()
  await expect(page.getByRole('table', { name: 'Model costs in force' })).toBeVisible()
  await spend([...twoModels, { model: 'house-a', daysAgo: 40, prompt: 2_000_000 }])
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Spend' })).toBeChecked()
  const table = page.getByRole('table', { name: 'Spend' })
  await expectRow(table, { Model: 'house-a', Spend: '3.00', Share: '75.0 %', Calls: 1, Prompt: '3,000,000' })
  await expectRow(table, { Model: 'house-b', Spend: '1.00', Blended: '1.33', Completion: '250,000' })
  // A header has room for two lines.
  const headers = page.locator('thead .head-content')
  expect(Math.max(...(await headers.evaluateAll((all) => all.map(({ clientHeight }) => clientHeight))))).toBeLessThanOrEqual(32)
  const totals = page.getByRole('region', { name: 'Totals and chart' })
  await expect(totals).toContainText('4.00 USD')
  await expect(totals).toContainText('+2.00 (+100 %) vs the 30 days before')
  expect(await findViolations(page)).toEqual([])
  await page.getByText('Prices', { exact: true }).click()
  await expect(page).toHaveURL(/view=prices/)
  await page.goBack()
  await expect(table).toBeVisible()
})

/** Holds the requests for these addresses until the function that it returns is called. */
async function holdRequests(page: Page, url: string, isHeld: (body: string | null) => boolean = () => true): Promise<() => void> {
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => (release = resolve))
  await page.route(url, async (route) => {
    if (isHeld(route.request().postData())) await isReleased
    await route.continue()
  })
  return release
}

test('the totals are there with the rows, before the service is asked for them', async ({
  page,
  client,
  projectId,
  spend,
  signIn,
}) => {
  await spend(twoModels)
  await writeSpent(client, projectId, [{ model: 'unknown', daysAgo: 2, prompt: 7 }])
  const release = await holdRequests(page, '**/spend/query', (body) => !/"group_by":\["model"\]/.test(body ?? ''))
  const releaseBudget = await holdRequests(page, '**/budget/read')
  await signIn('/costs?view=spend')
  await expectRow(page.getByRole('table', { name: 'Spend' }), { Model: 'house-a', Spend: '3.00' })
  const totals = page.getByRole('region', { name: 'Totals and chart' })
  await expect(totals).toContainText('4.00 USD')
  await expect(totals).toContainText('3,500,007')
  // A call with two models is in two rows.
  const calls = totals.locator('dl > div').filter({ hasText: 'their threads' })
  await expect(calls.locator('dd').first()).toHaveText('')
  // What comes later has its place: no figure moves, and no row.
  const places = () =>
    Promise.all([totals.getByText('Completion tokens'), page.getByRole('columnheader').first()].map((each) => each.boundingBox()))
  const before = await places()
  release()
  releaseBudget()
  await expect(calls.locator('dd').first()).toHaveText('3')
  await expect(totals.getByRole('slider')).toBeVisible()
  await expect(totals).toContainText('nothing in the 30 days before')
  await expect(totals.getByRole('button', { name: 'Budget: set one' })).toBeVisible()
  expect(await places()).toEqual(before)
})

test('rows that stay on screen while others are read keep the name of their grouping', async ({ page, spend, signIn }) => {
  await spend(twoModels)
  const release = await holdRequests(page, '**/spend/query', (body) => /"group_by":\["op_name"\]/.test(body ?? ''))
  await signIn('/costs?view=spend')
  const table = page.getByRole('table', { name: 'Spend' })
  await expectRow(table, { Model: 'house-a', Spend: '3.00' })
  await page.getByRole('button', { name: 'Group by' }).click()
  await page.getByText('Operation', { exact: true }).click()
  await expect(page).toHaveURL(/group=op_name/)
  await expect(table).toHaveAttribute('aria-busy', 'true')
  await expectRow(table, { Model: 'house-a', Spend: '3.00' })
  release()
  await expectRow(table, { Operation: 'answer', Spend: '4.00' })
})

/** What lies outside of an element to its right, in pixels. */
const measureOverflow = (element: Element) => element.scrollWidth - element.clientWidth

test('huge sums in several currencies have room beside each other', async ({ page, client, projectId, signIn }) => {
  const models = {
    'a-model-with-a-long-name-2026-11-01-eu-central-1': 'USD',
    'claude-sonnet-4-5-20250929': 'EUR',
    ['m'.repeat(400)]: 'JPY',
  }
  for (const [model, unit] of Object.entries(models)) {
    const units = { prompt_token_cost_unit: unit, completion_token_cost_unit: unit, effective_date: '2020-01-01' }
    const costs = { [model]: { prompt_token_cost: 1_234_567.8, completion_token_cost: 0, ...units } }
    await client.postJson('/cost/create', { project_id: projectId, costs })
  }
  await writeSpent(client, projectId, [
    ...Object.keys(models).map((model) => ({ model, daysAgo: 1, prompt: 1_000_000_000 })),
    { model: 'no-price', daysAgo: 1, prompt: 1 },
  ])
  await signIn('/costs?view=spend')
  const table = page.getByRole('table', { name: 'Spend' })
  await expectRow(table, { Model: 'claude-sonnet-4-5-20250929', Spend: /^1,234\.57T\s+EUR$/, Share: '100.0 %' })
  await expect(table.getByRole('cell').filter({ hasText: 'EUR' }).getByTitle('1234567800000000 EUR')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Totals and chart' }).getByRole('term').first()).toHaveText('Spend in USD')
  const scroller = page.locator('.table-scroll')
  expect(await scroller.evaluate(measureOverflow)).toBe(0)
  // A thread that used all of them has a line for each.
  await page.goto('/costs?view=spend&group=thread_id')
  await expectRow(table, { Thread: 't-1', Spend: /USD.*EUR.*JPY/s })
  expect(await scroller.evaluate(measureOverflow)).toBe(0)
})

test('the totals and the figures of calls do not wait for the tools of their page', async ({ page, spend, signIn }) => {
  await spend([{ model: 'house-a', daysAgo: 1, prompt: 1_000_000 }])
  const release = await holdRequests(page, '**/assets/tools-*.js')
  await signIn('/costs?view=spend')
  await expect(page.getByRole('region', { name: 'Totals and chart' })).toContainText('1.00 USD')
  await page.goto('/threads')
  await expectRow(page.getByRole('table', { name: 'Threads' }), { Thread: 't-1', Tokens: '1,000,000' })
  await expect(page.getByRole('button', { name: 'Export' })).toHaveCount(0)
  release()
  await expect(page.getByRole('button', { name: 'Export' })).toBeVisible()
})

test('a model keeps its colour where a day is opened', async ({ page, spend, signIn }) => {
  await spend(twoModels)
  await signIn('/costs?window=7d')
  const colours = page.getByRole('list', { name: 'Colours' }).getByRole('listitem')
  const second = colours.filter({ hasText: 'house-b' }).locator('.series-2')
  await expect(colours).toHaveCount(2)
  await expect(second).toBeVisible()
  await page.getByRole('slider', { name: 'Spend by day, USD' }).focus()
  for (const key of ['End', 'ArrowLeft', 'ArrowLeft', 'Enter']) await page.keyboard.press(key)
  await expect(page.getByRole('slider', { name: 'Spend by hour, USD' })).toBeVisible()
  await expect(colours).toHaveText(['house-b'])
  await expect(second).toBeVisible()
  await expect(page.getByRole('table', { name: 'Spend' }).locator('.series-mark')).toHaveClass(/series-2/)
})

test('by keyboard: the dear day is found in the chart, narrowed to, and followed to its thread', async ({
  page,
  spend,
  signIn,
}) => {
  await spend([
    { model: 'house-a', daysAgo: 1, prompt: 100_000, op: 'chat', threadId: 'calm' },
    { model: 'house-a', daysAgo: 3, prompt: 9_000_000, op: 'summarize', threadId: 'loop, 7' },
    { model: 'house-a', daysAgo: 5, prompt: 100_000, op: 'chat', threadId: 'calm' },
  ])
  await signIn('/costs?window=7d')
  const chart = page.getByRole('slider', { name: 'Spend by day, USD' })
  await chart.focus()
  await page.keyboard.press('End')
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowLeft')
  await expect(chart).toHaveAttribute('aria-valuetext', /^\w{3} \d{4}-\d\d-\d\d: 9\.00 USD$/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/after=.*before=/)
  await expect(page.getByRole('slider', { name: 'Spend by hour, USD' })).toBeFocused()
  const table = page.getByRole('table', { name: 'Spend' })
  await expectRow(table, { Model: 'house-a', Spend: '9.00', Calls: 1 })
  // A row leads to what is behind it: the operations of the model, its threads, and at last the thread itself.
  await table.getByRole('link', { name: 'house-a' }).press('Enter')
  await expectRow(table, { Operation: 'summarize', Spend: '9.00' })
  await table.getByRole('link', { name: 'summarize' }).press('Enter')
  await expectRow(table, { Thread: 'loop, 7', Spend: '9.00' })
  await expect(page.getByRole('button', { name: 'Remove the filter Operation summarize' })).toBeVisible()
  await table.getByRole('link', { name: 'loop, 7' }).press('Enter')
  await expectRow(page.getByRole('table', { name: 'Threads' }), { Thread: 'loop, 7' })
  await page.goBack()
  await page.goBack()
  await page.goBack()
  await page.goBack()
  await expect(page).not.toHaveURL(/after=/)
  await expect(page.getByRole('region', { name: 'Totals and chart' })).toContainText('9.20 USD')
})

test('a budget is set by the keyboard, which goes on at its button', async ({ page, spend, signIn }) => {
  await spend(twoModels)
  await signIn('/costs')
  await page.getByRole('button', { name: 'Budget: set one' }).press('Enter')
  await page.keyboard.type('250')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Budget: change' })).toBeFocused()
})

for (const size of [
  { width: 320, height: 700 },
  { width: 360, height: 330 },
]) {
  test(`in a window of ${size.width} × ${size.height} px popovers are whole`, async ({ page, spend, signIn }) => {
    await spend(twoModels)
    await page.setViewportSize(size)
    await signIn('/costs?view=spend')
    const expectWhole = async () => {
      const panel = page.locator('.float-panel:popover-open')
      await expect(panel).toBeVisible()
      const box = await panel.boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(size.width)
      expect(box?.y).toBeGreaterThanOrEqual(0)
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(size.height)
      await page.keyboard.press('Escape')
      await expect(panel).toBeHidden()
    }
    await page.getByRole('button', { name: 'Budget: set one' }).click()
    await expectWhole()
    for (const name of ['What if', 'Columns']) {
      const tool = page.getByRole('button', { name, exact: true })
      await expect(async () => {
        if (!(await tool.isVisible())) await page.getByRole('button', { name: /^Filters/ }).click({ timeout: 1000 })
        await tool.click({ timeout: 1000 })
      }).toPass()
      await expectWhole()
    }
  })
}

test('the same calls are priced on another model, and a missing price is led to', async ({ page, client, projectId, signIn }) => {
  await setPrices(client, projectId, ['house-a', 'house-b'])
  await writeSpent(client, projectId, [{ model: 'house-a', daysAgo: 1, prompt: 1_000_000, completion: 1_000_000, user: 'kim' }])
  await client.postJson('/cost/create', {
    project_id: projectId,
    costs: { cheap: { prompt_token_cost: 0.0000005, completion_token_cost: 0.000001, effective_date: '2020-01-01' } },
  })
  await signIn('/costs?group=user')
  await page.getByRole('button', { name: 'What if' }).click()
  await page.getByRole('searchbox', { name: 'Search models' }).fill('cheap')
  await page.getByRole('checkbox', { name: /^cheap/ }).check()
  await page.keyboard.press('Escape')
  const table = page.getByRole('table', { name: 'Spend' })
  await expectRow(table, { User: 'kim', Spend: '3.00', 'On cheap': /^1\.50.*−50\.0 %$/ })
  await expect(page).toHaveURL(/whatif=cheap/)
  await page.reload()
  const totals = page.getByRole('region', { name: 'Totals and chart' })
  await expect(totals).toContainText('On cheap')
  await totals.getByText('Break-even mix').click()
  await expect(totals.getByRole('listitem').filter({ hasText: 'cheap' })).toContainText('cheaper at any mix')

  await writeSpent(client, projectId, [{ model: 'no-price-yet', daysAgo: 1, prompt: 10 }])
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  await page.getByRole('link', { name: 'show their models' }).click()
  await expectRow(table, { Model: 'no-price-yet', Spend: /^no price/ })
  await table.getByRole('link', { name: /^no price.*add a price/ }).click()
  await expect(page).toHaveURL(/view=prices&add=no-price-yet/)
})

test('models are ranked by what a workload costs, compared side by side, and say who uses them', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const prices = {
    'cheap-prompt': { prompt_token_cost: 1e-6, completion_token_cost: 4e-6 },
    'cheap-answer': { prompt_token_cost: 3e-6, completion_token_cost: 1e-6 },
  }
  for (const [effective_date, factor] of [
    ['2025-01-01', 2],
    ['2026-01-01', 1],
  ] as const) {
    const costs = Object.entries(prices).map(([model, { prompt_token_cost: prompt, completion_token_cost: completion }]) => [
      model,
      { prompt_token_cost: factor * prompt, completion_token_cost: factor * completion, effective_date },
    ])
    await client.postJson('/cost/create', { project_id: projectId, costs: Object.fromEntries(costs) as object })
  }
  await writeSpent(client, projectId, [{ model: 'cheap-answer', daysAgo: 1, prompt: 10 }])
  await signIn('/costs?view=prices&source=yours')
  const table = page.getByRole('table', { name: 'Model costs in force' })
  const firstModel = () => readRows(table).then(([row]) => row?.['Model'])
  await page.getByRole('button', { name: 'Workload' }).click()
  await page.getByText('A long document').click()
  await expectRow(table, { Model: 'cheap-prompt', Workload: '0.022' })
  await expectRow(table, { Model: 'cheap-answer', Workload: '0.0605' })
  expect(await firstModel()).toBe('cheap-prompt')

  await page.getByRole('button', { name: /^Workload \d/ }).click()
  await page.getByRole('textbox', { name: 'Prompt tokens' }).fill('100')
  await page.getByRole('textbox', { name: 'of these from a cache' }).fill('200')
  await page.getByRole('textbox', { name: 'Completion tokens' }).fill('1 000')
  await page.keyboard.press('Enter')
  await expect(page.getByText('no more cached tokens than prompt tokens')).toBeVisible()
  await page.getByRole('textbox', { name: 'of these from a cache' }).fill('')
  await page.keyboard.press('Enter')
  await expect.poll(firstModel).toBe('cheap-answer')
  await expect(page).toHaveURL(/workload=100,1000/)

  await table.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.reload()
  const compared = page.getByRole('dialog').getByRole('table', { name: 'Prices side by side' })
  await expect(compared.getByRole('row', { name: /^Prompt/ })).toContainText(/lowest.*3\.00×|3\.00×.*lowest/)
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/compare=/)

  await table.getByRole('button', { name: 'cheap-answer', exact: true }).click()
  const panel = page.getByRole('complementary').or(page.getByRole('dialog')).first()
  await expect(panel.getByRole('img', { name: /^The prices in force over time/ })).toBeVisible()
  await expectRow(panel.getByRole('table', { name: 'Operations that use it' }), { Operation: 'Together', Calls: 1 })
})

test.describe('a reference model without a price', () => {
  test.use({ expectedConsoleErrors: ['status of 422'] })
  test('is named beside what was spent, and removed', async ({ page, spend, signIn }) => {
    await spend(twoModels)
    await signIn('/costs?whatif=no-such-model,,house-b,')
    await expect(page.getByRole('radio', { name: 'Spend' })).toBeChecked()
    const table = page.getByRole('table', { name: 'Spend' })
    await expectRow(table, { Model: 'house-a', Spend: '3.00' })
    await expect(page.getByRole('region', { name: 'Totals and chart' })).toContainText('4.00 USD')
    await expect(page.getByText("No price is known for the model 'no-such-model'.")).toBeVisible()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expectRow(table, { Model: 'house-a', 'On house-b': /3\.00/ })
    await expect(page).not.toHaveURL(/no-such-model/)
    await expect(page.getByText('No price is known')).toBeHidden()
  })
})
