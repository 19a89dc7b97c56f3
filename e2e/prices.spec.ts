import { expectRow } from './expect-row'
import { findViolations } from './find-violations'
import { expect, test } from './fixtures'

const name = 'Model costs in force'

test('a missing price is added by keyboard: a wrong unit is questioned, the draft survives a reload, an undo takes it back', async ({
  page,
  signIn,
}) => {
  await signIn('/costs?view=prices&search=house-model')
  await page.getByRole('button', { name: 'Add prices' }).press('Enter')
  await page.getByRole('menuitem', { name: 'One price…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add a price' })
  await expect(page.locator('dialog:modal')).toHaveCount(1)
  await expect(dialog.getByText('is needed')).toBeHidden()
  const field = (label: string) => dialog.getByRole('textbox', { name: label, exact: true })
  await expect(dialog.getByRole('combobox', { name: 'Model' })).toBeFocused()
  await page.keyboard.type('house-model')
  await field('Prompt').fill('2,5')
  await page.keyboard.press('Enter')
  const errors = dialog.getByRole('alert', { name: 'Errors in the form' })
  await expect(errors).toBeFocused()
  await expect(errors).toContainText('Prompt: Write the number without separators')
  await expect(errors).toContainText('Completion: A price is needed. Write 0 where it is free.')
  await field('Prompt').fill('25000')
  await field('Completion').fill('100000')
  await page.reload()
  await expect(field('Completion')).toHaveValue('100000', { timeout: 30_000 })
  await field('Completion').press('Enter')
  await expect(dialog.getByText('Is this right?')).toBeVisible()
  await expect(dialog).toContainText('Prompt: more than 10,000 USD for a million tokens.')
  expect(await findViolations(page)).toEqual([])
  await field('Prompt').fill('2.5')
  await field('Completion').fill('10')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('region', { name: 'Price recorded' })).toBeFocused()
  const table = page.getByRole('table', { name })
  await expectRow(table, { Model: 'house-model', Prompt: '2.50', Completion: '10.00', Source: 'yours' })
  await dialog.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(dialog.getByRole('region', { name: 'Undone' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Nothing matches these filters.')).toBeVisible()
})

test('a wrong unit that the strip flags is corrected by keyboard, and its history stays', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const wrong = { prompt_token_cost: 0.0025, completion_token_cost: 0.01, provider_id: 'openai', effective_date: '2026-03-01' }
  await client.postJson('/cost/create', { project_id: projectId, costs: { 'gpt-4o': wrong } })
  await signIn('/costs?view=prices')
  const strip = page.getByRole('navigation', { name: 'Prices to check' })
  await strip.getByRole('link', { name: '1 likely in the wrong unit' }).press('Enter', { timeout: 30_000 })
  const table = page.getByRole('table', { name })
  await expectRow(table, { Model: 'gpt-4o', Provider: 'openai', Prompt: '2,500.00', Source: 'yours' })
  await expect(table.getByRole('row')).toHaveCount(2)
  await expect(page).toHaveURL(/flag=unit/)
  await table.getByRole('button', { name: /gpt-4o/ }).press('Enter')
  const panel = page.getByRole('dialog', { name: 'Cost gpt-4o' })
  await panel.getByRole('button', { name: 'Correct' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Correct a price' })
  await expect(dialog.getByRole('textbox', { name: 'Prompt', exact: true })).toHaveAccessibleDescription(
    /was 2500 · no change About 1,000 times this model’s price elsewhere/,
  )
  await dialog.getByRole('button', { name: 'Write 2.5' }).press('Enter')
  await dialog.getByRole('button', { name: 'Write 10' }).press('Enter')
  await expect(dialog.getByText('was 2500 · −99.9 %')).toBeVisible()
  await expect(dialog.getByRole('radio', { name: /From 2026-03-01/ })).toBeChecked()
  await dialog.getByRole('textbox', { name: 'Completion', exact: true }).press('Enter')
  await dialog.getByRole('region', { name: 'Price recorded' }).getByRole('button', { name: 'Close' }).press('Enter')
  await expect(strip).toBeHidden()
  const records = await client.postJson('/cost/query', {
    project_id: projectId,
    query: { $expr: { $not: [{ $contains: { input: { $getField: 'id' }, substr: { $literal: 'catalog:' } } }] } },
    sort_by: [{ field: 'id', direction: 'asc' }],
  })
  expect(records).toMatchObject({
    results: [
      { prompt_token_cost: 0.0025, effective_date: '2026-03-01T00:00:00Z' },
      { prompt_token_cost: 0.0000025, completion_token_cost: 0.00001, effective_date: '2026-03-01T00:00:00Z' },
    ],
  })
})

test('two people correct a price at once: the second is told, nothing typed is lost, and the history has both', async ({
  page,
  browser,
  baseURL,
  client,
  projectId,
  signIn,
}) => {
  const cost = {
    prompt_token_cost: 0.000003,
    completion_token_cost: 0.00001,
    provider_id: 'openai',
    effective_date: '2026-03-01',
  }
  const created = await client.postJson('/cost/create', { project_id: projectId, costs: { 'house-model': cost } })
  const { ids } = created as { ids: [[id: string, model: string]] } // the contract of the service under test
  const path = `/costs?view=prices&search=house-model&correct=${ids[0][0]}`
  await signIn(path)
  const context = await browser.newContext({ storageState: await page.context().storageState(), ...(baseURL && { baseURL }) })
  const second = await context.newPage()
  await second.goto(path)
  const open = (of: typeof page) => of.getByRole('dialog', { name: 'Correct a price' })
  const prompt = (of: typeof page) => open(of).getByRole('textbox', { name: 'Prompt', exact: true })
  await prompt(page).fill('2.5')
  await prompt(second).fill('2.75')
  await prompt(page).press('Enter')
  await expect(open(page).getByRole('region', { name: 'Price recorded' })).toBeFocused()
  await prompt(second).press('Enter')
  await expect(open(second).getByText('Somebody else was here')).toBeVisible()
  await expect(open(second)).toContainText('was recorded: 2.5 prompt, 10 completion (USD per 1M) at openai.')
  await expect(prompt(second)).toHaveValue('2.75')
  await open(second).getByRole('button', { name: 'Record it anyway' }).press('Enter')
  await expect(open(second).getByRole('region', { name: 'Price recorded' })).toBeFocused()
  await second.keyboard.press('Escape')
  const table = second.getByRole('table', { name })
  await expectRow(table, { Model: 'house-model', Provider: 'openai', Prompt: '2.75', Source: 'yours' })
  await table.getByRole('button', { name: /house-model/ }).press('Enter')
  const history = second.getByRole('dialog', { name: 'Cost house-model' }).getByRole('table', { name: 'Price history' })
  await expect(history.getByRole('row').filter({ hasText: 'current' })).toHaveText(/2\.75/)
  await expect(history.getByRole('row').filter({ hasText: 'superseded' })).toHaveText([/2\.50/, /3\.00/])
  await context.close()
})

test('a LiteLLM file is previewed, and recorded once however often it is sent', async ({ page, client, projectId, signIn }) => {
  const own = { prompt_token_cost: 0.000004, completion_token_cost: 0.00001, provider_id: 'openai' }
  await client.postJson('/cost/create', { project_id: projectId, costs: { 'house-a': own } })
  const entry = (input: number | string, more: object = {}) => ({
    input_cost_per_token: input,
    output_cost_per_token: 0.00001,
    litellm_provider: 'openai',
    ...more,
  })
  const models = {
    'house-a': entry(0.000003, { input_cost_per_token_above_200k_tokens: 0.000006 }),
    'house-b': entry(0.000001),
    'house-c': entry('much'),
    'house-d': { input_cost_per_pixel: 1 },
  }
  const file = { name: 'model_prices.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(models, null, 2)) }
  await signIn('/costs?view=prices&search=house-')
  await page.getByRole('button', { name: 'Add prices' }).press('Enter', { timeout: 30_000 })
  await page.getByRole('menuitem', { name: 'From a file…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Import prices' })
  await dialog.getByLabel('File of prices').setInputFiles(file)
  await expect(dialog.getByRole('radio', { name: 'New 1' })).toBeChecked()
  await dialog.getByText('Changed 1').click()
  await expect(dialog.getByRole('row', { name: /house-a/ })).toContainText('4.00 → 3.00−25.0 %')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(dialog.getByRole('region', { name: 'Refused prices' })).toContainText('Line 13: house-c: prompt_token_cost:')
  await expect(dialog).toContainText('Left out: 1 models without prices per token.')
  await expect(dialog).toContainText('A price for long prompts is not stored, because a record has one price: house-a.')
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Record 2 prices' }).press('Enter')
  await expect(dialog.getByText('2 prices recorded.')).toBeFocused()
  await dialog.getByRole('button', { name: 'Close' }).last().press('Enter')
  const table = page.getByRole('table', { name })
  await expectRow(table, { Model: 'house-a', Prompt: '3.00' })
  await expectRow(table, { Model: 'house-b', Prompt: '1.00' })
  await page.getByRole('button', { name: 'Add prices' }).press('Enter')
  await page.getByRole('menuitem', { name: 'From a file…' }).press('Enter')
  await dialog.getByLabel('File of prices').setInputFiles(file)
  await expect(dialog.getByRole('button', { name: 'Nothing to record' })).toBeVisible()
  await expect(dialog.getByRole('radio', { name: 'Same 2' })).toBeChecked()
})

test('direction marks of a provider turn no text around in the panel of its price', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const price = { prompt_token_cost: 1e-6, completion_token_cost: 2e-6, provider_id: 'bills \u202Egnp.exe' }
  await client.postJson('/cost/create', { project_id: projectId, costs: { 'house-model': price } })
  await signIn('/costs?view=prices&source=yours')
  await page.getByRole('table', { name }).getByRole('button', { name: 'house-model', exact: true }).click()
  const panel = page.getByRole('dialog')
  await expect(panel).toContainText(String.raw`"provider_id": "bills \u202Egnp.exe"`)
  await expect(page.locator('body')).not.toContainText('\u202E')
})
