import type { Page } from 'playwright/test'
import { expect, test } from './fixtures'
import { createReviewQueue } from './review-queue'
import { oneTurnThreads, writeTurns } from './turns'

declare global {
  interface Window {
    shifts: string[]
  }
}

/** Each element that moved by more than a few pixels since the last call, with both places. */
async function takeShifts(page: Page): Promise<string[]> {
  // Nothing on the page tells that nothing more will come.
  await page.waitForTimeout(1500)
  return page.evaluate(() => window.shifts.splice(0))
}

for (const width of [320, 768, 1280]) {
  test(`at ${width} px nothing moves while a page loads`, async ({ page, client, projectId, signIn }) => {
    await page.setViewportSize({ width, height: 800 })
    await createReviewQueue(client, projectId, { schemas: { Tone: { type: 'string' } }, count: 3 })
    await writeTurns(client, projectId, oneTurnThreads(60, Date.parse('2026-01-05T09:00:00Z')))
    await page.addInitScript(() => {
      type Shift = { sources: { node: Element | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[] }
      window.shifts = []
      const format = ({ x, y }: DOMRectReadOnly) => `${Math.round(x)},${Math.round(y)}`
      new PerformanceObserver((list) => {
        // The types of the browser do not know what Chromium says of shifts.
        for (const { sources } of list.getEntries() as unknown as Shift[]) {
          for (const { node, previousRect, currentRect } of sources) {
            const isMovedBy = (side: 'left' | 'right' | 'top') => Math.abs(previousRect[side] - currentRect[side]) > 8
            // What grows at one side has not moved.
            const isMoved = isMovedBy('top') || (isMovedBy('left') && isMovedBy('right'))
            // The end of a list follows its rows, and a unit its name.
            if (!isMoved || !(node instanceof Element) || node.closest('nav, .head-unit')) continue
            window.shifts.push(
              `${node.nodeName} ${node.textContent.slice(0, 40)}: ${format(previousRect)} to ${format(currentRect)}`,
            )
          }
        }
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await signIn('/costs')
    await expect(page.getByRole('row').nth(1)).toBeVisible()
    expect(await takeShifts(page)).toEqual([])
    const pages = page.getByRole('navigation', { name: 'Pages' })
    for (const name of ['Threads', 'Queues', 'Costs', 'Queues', 'Threads']) {
      await pages.getByRole('link', { name, exact: true }).click()
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
      expect(await takeShifts(page), name).toEqual([])
    }
    for (const path of ['/threads', '/queues']) {
      await page.goto(path)
      await expect(page.getByRole('row').nth(1)).toBeVisible()
      expect(await takeShifts(page), path).toEqual([])
    }
  })
}
