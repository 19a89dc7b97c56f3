import { expect, test } from './fixtures'
import { writeTurns } from './turns'

test('5,000 turns keep the page busy for no more than 100 ms at a time, and few of them are in it', async ({
  page,
  client,
  measureLongestTask,
  projectId,
  signIn,
}) => {
  test.slow()
  const turns = Array.from({ length: 5000 }, (_, index) => ({
    threadId: 'many',
    startedAt: Date.UTC(2026, 0, 5) + index * 20_000,
    durationMs: 1000 + ((index * 7919) % 9000),
  }))
  await writeTurns(client, projectId, turns)
  await signIn('/costs')
  const list = page.getByRole('list', { name: 'Turns' })
  const longestMs = await measureLongestTask(async () => {
    await page.goto('/threads/many')
    await expect(page.getByRole('button', { name: /^p99/ })).toBeVisible({ timeout: 60_000 })
    await list.getByRole('button').first().focus()
    await page.keyboard.press('End')
    await expect(list.getByRole('button', { name: 'Turn 5000' })).toBeFocused()
    await list.hover()
    for (let step = 0; step < 30; step += 1) await page.mouse.wheel(0, -1500)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 3, name: 'Turn 5000' })).toBeVisible()
  })
  console.log(`longest task: ${longestMs.toFixed(0)} ms`)
  expect(longestMs).toBeLessThanOrEqual(100)
  expect(await list.getByRole('listitem').count()).toBeLessThan(80)
})
