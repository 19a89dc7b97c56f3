import { expect, test } from './fixtures'
import { SpoolService } from './spool-service'

test('npm run dev serves every page without an error in the console', async ({ page }) => {
  // Vite compiles every module when it is first asked for it.
  test.setTimeout(120_000)
  const service = await SpoolService.start({}, 'dev')
  try {
    const failedRequests: string[] = []
    page.on('response', (response) => {
      if (response.status() >= 400) failedRequests.push(`${response.status()} ${response.url()}`)
    })
    await page.goto(service.signInLink)
    await expect(
      page
        .getByRole('table', { name: /costs|spend/i })
        .getByRole('row')
        .nth(5),
    ).toBeVisible({ timeout: 60_000 })
    for (const name of ['Threads', 'Queues', 'Send data', 'Connection']) {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()
      await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible({ timeout: 30_000 })
    }
    // The page of connections asks for the session: it must not find the service stopped.
    await expect(page.getByRole('region', { name: 'Session' })).toContainText('Signed in as admin')
    // As Weave's clients print it. Vite would answer it with the page of an address that does not exist.
    await page.goto(`${service.url}/sample/support-bot/r/call/01a2012c-d271-7747-9911-b535129539ee`)
    await expect(page).toHaveURL(/\/calls\/01a2012c-[^?]*\?project=sample%2Fsupport-bot$/)
    await page.close()
    expect(failedRequests).toEqual([])
  } finally {
    await service.stop()
  }
})
