import { expectRow, readRows } from './expect-row'
import { expect, readTable, test } from './fixtures'
import { SpoolService } from './spool-service'

test('a new user signs in by the link, finds prices and slow threads, and creates a queue', async ({ browser }) => {
  const service = await SpoolService.start()
  try {
    const page = await browser.newPage()
    await page.goto(service.signInLink)

    // What the sample's calls cost is the first view.
    await expect(page.getByRole('table', { name: 'Spend' })).toContainText('gpt-4o-mini')
    await page.getByText('Prices', { exact: true }).click()
    const prices = page.getByRole('table', { name: 'Model costs in force' })
    // Which model has the highest completion price, and what did it cost in January?
    await page.getByRole('button', { name: 'Completion', exact: true }).click()
    await expect(page.getByRole('columnheader', { name: /Completion/ })).toHaveAttribute('aria-sort', 'descending')
    await expect.poll(async () => (await readRows(prices)).length).toBe(50)
    await page.getByRole('button', { name: 'As of now' }).click()
    await page.getByRole('textbox', { name: 'Day or time' }).fill('2026-01-31')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page).toHaveURL(/asof=2026-01-31/)
    await page.getByRole('searchbox', { name: /Search model/ }).fill('deepseek-v4-flash')
    // Its price went up in August 2026.
    await expectRow(prices, { Provider: 'deepseek', Prompt: /^0\.14/ })
    await page.getByRole('button', { name: 'As of 2026-01-31' }).click()
    await page.getByRole('radio', { name: 'Now' }).click()
    await expectRow(prices, { Provider: 'deepseek', Prompt: /^0\.22/ })

    // Which conversation is the slowest?
    await page.getByRole('link', { name: 'Threads' }).click()
    await page.getByRole('button', { name: 'p99', exact: true }).click()
    await expect(page.getByRole('columnheader', { name: /^p99/ }).first()).toHaveAttribute('aria-sort', 'descending')
    await expect.poll(async () => (await readTable(page, 'Threads'))[0]?.['p99']).toMatch(/\d+ min \d+ s|\d+ h/)

    // A queue from three references, one of them wrong at first.
    await page.getByRole('link', { name: 'Queues' }).click()
    await page
      .getByRole('link', { name: /new queue|create the first queue/i })
      .first()
      .click()
    await page.getByLabel('Name').fill('Slow answers')
    const field = page.getByRole('textbox', { name: 'Scorer references' })
    for (const ref of [
      'weave:///sample/support-bot/scorer/Tone:v1',
      'weave:///sample/support-bot/scorer/Facts',
      'weave:///sample/support-bot/scorer/Help:v2',
    ]) {
      await field.fill(ref)
      await field.press('Enter')
    }
    await page.getByRole('button', { name: 'Create queue' }).click()
    await expect(page.getByRole('alert')).toBeFocused()
    await page.getByRole('alert').getByRole('link').click()
    // The link focuses the reference; Enter edits it.
    await page.keyboard.press('Enter')
    await page.keyboard.press('End')
    await page.keyboard.type(':v1')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Create queue' }).click()
    await expect(page.getByRole('region', { name: 'Queue created' })).toBeVisible()
    await page.getByRole('link', { name: 'Open the queue' }).click()
    await page.getByText('Scorers', { exact: true }).click()
    await expect(page.getByRole('region', { name: 'Scorers' })).toContainText('Facts')
    await page.close()
  } finally {
    await service.stop()
  }
})
