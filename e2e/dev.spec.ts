import { expect, test } from './fixtures'
import { SpoolService } from './spool-service'

test('npm run dev serves every page without an error in the console', async ({ page }) => {
  // Vite compiles every module when the first page asks for it.
  test.setTimeout(120_000)
  const service = await SpoolService.start({}, 'dev')
  try {
    const failedRequests: string[] = []
    page.on('response', (response) => {
      if (response.status() >= 400) failedRequests.push(`${response.status()} ${response.url()}`)
    })
    await page.goto(service.signInLink)
    await expect(page.getByRole('heading', { name: 'Model costs' })).toBeVisible({ timeout: 60_000 })
    for (const [path, heading] of [
      ['/threads', 'Threads'],
      ['/queues', 'Queues'],
      ['/send', 'Send data'],
      ['/connection', 'Connection'],
    ] as const) {
      await page.goto(`${service.url}${path}`)
      await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible()
      await page.waitForLoadState('networkidle')
    }
    expect(failedRequests).toEqual([])
  } finally {
    await service.stop()
  }
})
