import { AxeBuilder } from '@axe-core/playwright'
import { expectRow } from './expect-row'
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
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await field('Prompt').fill('2.5')
  await field('Completion').fill('10')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('region', { name: 'Price recorded' })).toBeFocused()
  const table = page.getByRole('table', { name })
  await expectRow(table, { Model: 'house-model', 'Prompt price': '2.50', 'Completion price': '10.00', Source: 'yours' })
  await dialog.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(dialog.getByRole('region', { name: 'Undone' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Nothing matches these filters.')).toBeVisible()
})
