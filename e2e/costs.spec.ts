import { expectRow } from './expect-row'
import { expect, readTable, test } from './fixtures'

const name = /cost/i

function price(perToken: number, more: object = {}) {
  return { prompt_token_cost: perToken, completion_token_cost: perToken * 4, ...more }
}

test('prices in force can be sorted by completion price, highest first, and a reload keeps the order', async ({
  page,
  signIn,
}) => {
  await signIn('/costs')
  await page.getByRole('button', { name: 'Completion', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: /Completion/ })).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(async () => (await readTable(page, name)).length).toBe(50)
  const rows = await readTable(page, name)
  const prices = rows.map((row) => Number(row['Completion']?.replace(/[^\d.]/g, '')))
  expect(prices).toEqual(prices.toSorted((a, b) => b - a))
  await page.reload()
  await expect.poll(async () => readTable(page, name)).toEqual(rows)
})

test('as of an earlier day, the prices of that day are shown', async ({ page, client, projectId, signIn }) => {
  const create = (perToken: number, date: string) =>
    client.postJson('/cost/create', {
      project_id: projectId,
      costs: { 'house-model': price(perToken, { effective_date: date, provider_id: 'house' }) },
    })
  await create(0.000002, '2025-11-01')
  await create(0.000005, '2026-03-01')
  await signIn('/costs?search=house-model')
  const table = page.getByRole('table', { name })
  await expectRow(table, { Model: 'house-model', Prompt: '5.00' })
  await page.getByRole('button', { name: 'As of now' }).press('Enter')
  await expect(page.getByRole('radio', { name: 'Now' })).toBeFocused()
  const day = page.getByRole('textbox', { name: 'Day or time' })
  await day.fill('31.1.2026')
  await day.press('Enter')
  await expect(day).toBeFocused()
  await expect(day).toHaveAccessibleDescription('“31.1.2026” is not a time. Write 2026-01-31 or 2026-01-31 09:30.')
  await day.fill('2026-1-31')
  await expect(day).toHaveAccessibleDescription('The end of 2026-01-31 in UTC')
  await day.press('Enter')
  await expect(page.getByRole('button', { name: 'As of 2026-01-31' })).toBeFocused()
  await expectRow(table, { Model: 'house-model', Prompt: '2.00' })
  await expect(page).toHaveURL(/asof=2026-01-31/)
  await page.reload()
  await expectRow(table, { Model: 'house-model', Prompt: '2.00' })
})

test('a price of the project shadows the catalog, an older one is superseded, a later one scheduled', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const costs = (effective_date: string) => ({ 'gpt-4o': price(0.000001, { effective_date, provider_id: 'openai' }) })
  for (const date of ['2025-01-01', '2025-06-01', '2290-01-01']) {
    await client.postJson('/cost/create', { project_id: projectId, costs: costs(date) })
  }
  await signIn('/costs?view=records&search=gpt-4o&provider=openai&sort=llm_id')
  const table = page.getByRole('table', { name })
  await expectRow(table, { Model: 'gpt-4o', Source: 'catalog', State: 'shadowed' })
  for (const State of ['current', 'scheduled', 'superseded']) await expectRow(table, { Model: 'gpt-4o', Source: 'yours', State })
  // The prices of other providers for the model give way too.
  const mini = { 'gpt-4o-mini': price(0.000001, { effective_date: '2025-01-01', provider_id: 'house' }) }
  await client.postJson('/cost/create', { project_id: projectId, costs: mini })
  await page.goto('/costs?view=prices&search=gpt-4o&sort=llm_id')
  await expectRow(table, { Model: 'gpt-4o-mini', Provider: 'house', Source: 'yours' })
  await expectRow(table, { Model: 'gpt-4o-mini', Provider: 'openai', Source: 'shadowed' })
  await expectRow(table, { Model: 'ft:gpt-4o', Provider: 'openai', Source: 'catalog' })
})

test('the price per token, thousand and million tokens has the same digits', async ({ page, client, projectId, signIn }) => {
  await client.postJson('/cost/create', {
    project_id: projectId,
    costs: { exact: { prompt_token_cost: 0.0000025, completion_token_cost: 0 } },
  })
  await signIn('/costs?search=exact')
  const table = page.getByRole('table', { name })
  await expectRow(table, { Model: 'exact', Prompt: '2.50', Completion: 'free' })
  const unit = page.getByRole('button', { name: /^Price per/ })
  await unit.click()
  await page.getByRole('radio', { name: '1K tokens' }).click()
  await expectRow(table, { Model: 'exact', Prompt: '0.0025', Completion: 'free' })
  await unit.press('Enter')
  await expect(page.getByRole('radio', { name: '1K tokens' })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(page).toHaveURL(/unit=token/)
  await page.keyboard.press('Enter')
  await expect(unit).toBeFocused()
  await expectRow(table, { Model: 'exact', Prompt: '0.0000025', Completion: 'free' })
})

test('search finds models and providers; the provider filter counts what it offers', async ({ page, signIn }) => {
  await signIn('/costs')
  await page.getByRole('searchbox', { name: /Search model/ }).fill('claude')
  await expect
    .poll(async () => {
      const rows = await readTable(page, name)
      return rows.length > 0 && rows.every((row) => /claude|anthropic/i.test(`${row['Model']} ${row['Provider']}`))
    })
    .toBe(true)
  await page.getByRole('button', { name: 'Any provider' }).click()
  await page.getByRole('checkbox', { name: /^anthropic/ }).check()
  await expect
    .poll(async () => new Set((await readTable(page, name)).map((row) => row['Provider'])))
    .toEqual(new Set(['anthropic']))
  await expect(page).toHaveURL(/provider=anthropic/)
})

test('all records are sorted by the server, by two keys, page by page', async ({ page, signIn }) => {
  const requests: { sort_by?: unknown; limit?: number }[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/cost/query')) requests.push(request.postDataJSON())
  })
  await signIn('/costs?view=records')
  await page.getByRole('button', { name: 'Provider', exact: true }).click()
  await page.getByRole('button', { name: 'Prompt', exact: true }).click({ modifiers: ['Shift'] })
  await expect
    .poll(() =>
      requests.some(
        ({ sort_by, limit }) =>
          limit === 51 &&
          JSON.stringify(sort_by) ===
            JSON.stringify([
              { field: 'provider_id', direction: 'desc' },
              { field: 'prompt_token_cost', direction: 'desc' },
            ]),
      ),
    )
    .toBe(true)
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByRole('navigation', { name: 'Pages of the table' })).toContainText('Rows 51–100, more follow')
})

test('a model opens its panel with its history and its price at other providers', async ({ page, signIn }) => {
  await signIn('/costs?search=gpt-4o&provider=openai')
  await page.getByRole('table', { name }).getByRole('button', { name: 'gpt-4o', exact: true }).click()
  await expect(page).toHaveURL(/row=/)
  await expect(page.getByRole('complementary').or(page.getByRole('dialog')).first()).toContainText('gpt-4o')
  await page.reload()
  await expect(page.getByRole('complementary').or(page.getByRole('dialog')).first()).toContainText('gpt-4o')
})
