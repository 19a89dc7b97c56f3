import { expect, type Locator } from 'playwright/test'

export type ExpectedRow = Record<string, string | number | RegExp>

/** The rows of a table as a person reads them: objects from column header to cell text. */
export async function readRows(table: Locator): Promise<Record<string, string>[]> {
  const headers = await table
    .getByRole('columnheader')
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-label') ?? cell.textContent.trim()))
  const rows = await table
    .locator('tbody')
    .getByRole('row')
    .evaluateAll((elements) => elements.map((row) => Array.from(row.children, (cell) => cell.textContent.trim())))
  return rows.map((cells) => Object.fromEntries(cells.map((text, index) => [headers[index] ?? String(index), text])))
}

/**
 * Waits until the table has a row with these cells; other columns may have any content.
 * @example await expectRow(page.getByRole('table', { name: 'Threads' }), { Thread: /^ticket-7/, Turns: 3 })
 */
export async function expectRow(table: Locator, cells: ExpectedRow): Promise<void> {
  const expected = Object.fromEntries(
    Object.entries(cells).map(([column, value]) => [
      column,
      value instanceof RegExp ? expect.stringMatching(value) : String(value),
    ]),
  )
  await expect.poll(async () => readRows(table)).toContainEqual(expect.objectContaining(expected))
}
