import { expectRow, readRows } from './expect-row'
import { findViolations } from './find-violations'
import { FaultProxy } from './fault-proxy'
import { expect, readTable, signInByForm, test } from './fixtures'
import { type TurnSeed, writeTurns } from './turns'

/** 10:00 in the time zone of these tests, Europe/Berlin. */
const monday = Date.UTC(2026, 0, 5, 9)
const hourMs = 3_600_000

/** Linear at rank (n-1)q, as the wire defines it. */
function percentile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  const rank = (sorted.length - 1) * q
  const low = sorted[Math.floor(rank)] ?? 0
  return low + ((sorted[Math.ceil(rank)] ?? 0) - low) * (rank % 1)
}

const toSeconds = (milliseconds: number) => `${(Math.round(milliseconds / 10) / 100).toFixed(2)} s`

test('the list is narrowed by its shape, by keyboard and pointer, and Back undoes it', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const crowd = Array.from({ length: 30 }, (_, index): TurnSeed => ({
    threadId: `quick-${index}`,
    startedAt: monday + (index % 3) * hourMs,
    durationMs: 200 + index,
  }))
  const long = Array.from({ length: 12 }, (_, index): TurnSeed => ({
    threadId: 'long talk',
    startedAt: monday + 2 * hourMs + index * 60_000,
    durationMs: index === 11 ? 50_000 : 900,
  }))
  await writeTurns(client, projectId, [...crowd, ...long])
  await signIn('/threads')
  const overview = page.getByRole('region', { name: 'Overview' })
  const rowCount = async () => (await readTable(page, 'Threads')).length
  await expect(overview).toContainText('42 turns')
  const top = (await page.getByRole('table', { name: 'Threads' }).boundingBox())?.y

  const starts = overview.getByRole('slider', { name: 'Turns started by hour' })
  await starts.focus()
  await page.keyboard.press('Home')
  await expect(starts).toHaveAttribute('aria-valuetext', 'Mon 2026-01-05 10:00: 10 turns of 10 threads')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/after=2026-01-05T08:59:59\.999999Z&before=2026-01-05T11:00:00Z/)
  await expect(page.getByRole('button', { name: /^Turns started 2026-01-05 10:00 to 2026-01-05 12:00/ })).toBeVisible()
  await expect.poll(rowCount).toBe(20)
  await expect(overview).toContainText('20 turns')
  await page.goBack()
  await expect.poll(rowCount).toBe(31)

  const grid = overview.getByRole('slider', { name: 'Threads by turns and p99' })
  await grid.focus()
  await page.keyboard.press('End')
  await expect(grid).toHaveAttribute('aria-valuetext', 'From 10 turns and a p99 of 33 s on: 1 thread. Here 1 thread: long talk')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/turns=10&p99=33000/)
  await expect.poll(rowCount).toBe(1)
  await page.goBack()
  await expect.poll(rowCount).toBe(31)

  const durations = overview.getByRole('slider', { name: 'Turns by duration' })
  const box = await durations.boundingBox()
  if (!box) throw new Error('The chart has no place.')
  await durations.hover({ position: { x: box.width - 30, y: box.height / 2 } })
  await page.mouse.down()
  await page.mouse.up()
  await expect(page).toHaveURL(/p99=(?:39|47)000/)
  await expect.poll(rowCount).toBe(1)
  await page.goBack()
  await expect.poll(rowCount).toBe(31)
  expect((await page.getByRole('table', { name: 'Threads' }).boundingBox())?.y).toBe(top)

  await overview.getByRole('link', { name: /^long talk 12 turns, p99 / }).click()
  await expect(page).toHaveURL(/row=long\+talk/)
  await page.goBack()
  await overview.getByRole('button', { name: 'As a table' }).click()
  await expectRow(overview.getByRole('table').nth(0), { Hour: 'Mon 2026-01-05 12:00', Turns: 22, Threads: 11 })
  await overview.getByRole('button', { name: 'Overview' }).click()
  await page.reload()
  await expect(overview.getByRole('button', { name: 'Overview' })).toHaveAttribute('aria-expanded', 'false')
})

test('few threads have a scale too: at least two labels on each axis, also in a narrow chart', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const toTurns = (threadId: string, count: number, durationMs: number) =>
    Array.from({ length: count }, (_, index) => ({ threadId, startedAt: monday + index * hourMs, durationMs }))
  await writeTurns(client, projectId, [...toTurns('short', 2, 110), ...toTurns('long', 6, 150)])
  await signIn('/threads')
  const overview = page.getByRole('region', { name: 'Overview' })
  await expect(overview.getByRole('slider', { name: 'Threads by turns and p99' })).toBeVisible()
  for (const width of [1280, 700]) {
    await page.setViewportSize({ width, height: 900 })
    for (const axis of await overview.locator('.plot-columns, .plot-rows').all()) {
      await expect.poll(() => axis.locator('span:visible').count()).toBeGreaterThan(1)
    }
  }
})

test('a release that made turns slower shows over time, and before and after it', async ({ page, client, projectId, signIn }) => {
  const release = monday + 24 * hourMs
  const before = Array.from({ length: 24 }, (_, index) => 1000 + index * 10)
  const after = Array.from({ length: 12 }, (_, index) => 2000 + index * 500)
  const toTurns = (durations: readonly number[], start: number) =>
    durations.map((durationMs, index) => ({ threadId: `t-${index % 5}`, startedAt: start + index * hourMs, durationMs }))
  await writeTurns(client, projectId, [...toTurns(before, monday), ...toTurns(after, release)])
  await signIn('/threads?show=history&per=day')
  const overview = page.getByRole('region', { name: 'Overview' })
  const chart = overview.getByRole('slider', { name: 'p50 and p99 by day' })
  await chart.focus()
  await page.keyboard.press('End')
  // From midnight on there are ten turns of before the release as well.
  const tuesday = [...before.slice(14), ...after]
  await expect(chart).toHaveAttribute(
    'aria-valuetext',
    `Tue 2026-01-06: p50 ${toSeconds(percentile(tuesday, 0.5))}, p99 ${toSeconds(percentile(tuesday, 0.99))}, 22 turns of 5 threads`,
  )
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/split=2026-01-05T23:00:00Z/)
  await overview.getByRole('button', { name: /^Before and after/ }).click()
  await page.getByRole('textbox', { name: /^Moment/ }).fill('2026-01-06 09:00Z')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/split=2026-01-06T09:00:00Z/)
  const compared = overview.getByRole('table', { name: 'Before and after' })
  const toRow = (name: string, q: number) => ({
    Figure: name,
    Before: toSeconds(percentile(before, q)),
    After: toSeconds(percentile(after, q)),
    Change: /^\+\d+(?:\.\d)? % slower$/,
  })
  await expectRow(compared, toRow('p50', 0.5))
  await expectRow(compared, toRow('p99', 0.99))
  await expectRow(compared, { Figure: 'Turns', Before: 24, After: 12 })
  await expectRow(compared, { Figure: 'Threads', Before: 5, After: 5 })
  await expectRow(compared, { Figure: 'Errors', Before: 0, After: 0 })
  await expect(overview).toContainText('Before: 24 finished turns, from the first turn to 2026-01-06 10:00')
  // All columns are on a phone's screen, beside each other.
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  await page.setViewportSize({ width: 320, height: 900 })
  await expect.poll(() => compared.evaluate((table) => table.getBoundingClientRect().right)).toBeLessThanOrEqual(320)
  await page.setViewportSize({ width, height })
  await overview.getByRole('button', { name: /^Each side/ }).click()
  await page.getByText('1 hour', { exact: true }).click()
  await expect(overview).toContainText('After: 1 finished turn')
  await expect(overview).toContainText('Too few for a p99')
  await page.reload()
  await expectRow(compared, { Figure: 'Turns', Before: 1, After: 1 })
  for (const colorScheme of ['light', 'dark'] as const) {
    // Without motion: a colour that is still changing has no contrast of its own.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await findViolations(page)).toEqual([])
  }
  expect((await readRows(compared)).length).toBe(6)
})

test.describe('where the rows cannot be read', () => {
  test.use({ expectedConsoleErrors: ['Failed to load resource'] })

  test('the charts above them are shown', async ({ page, service, client, projectId }) => {
    await writeTurns(client, projectId, [{ threadId: 'a', startedAt: monday, durationMs: 200 }])
    const proxy = await FaultProxy.start(service.url, ({ url }) => ({ isMissing: url === '/threads/stream_query' }))
    await page.goto(`${proxy.url}/connection`)
    await signInByForm(page, projectId)
    await page.goto(`${proxy.url}/threads`)
    await expect(page.getByRole('main')).toContainText('Not Found')
    await expect(page.getByRole('region', { name: 'Overview' })).toContainText('1 turn')
    proxy.close()
  })
})
