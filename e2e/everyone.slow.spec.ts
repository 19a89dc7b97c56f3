import type { Locator, Page } from 'playwright/test'
import * as z from 'zod/mini'
import { pages } from '../src/dashboard/app/pages'
import { findViolations } from './find-violations'
import { expect, test } from './fixtures'
import type { SpoolClient } from './spool-client'
import { writeTurns } from './turns'

/** Every page, and views that look different. */
const paths = [...pages.map(({ path }) => path), '/costs?view=prices', '/costs?view=records']
const hasTable = (path: string) => /costs|threads/.test(path) && !path.includes(':id')
const sampleProjectId = 'sample/support-bot'

/** The address for a path of `pages`: with a thread, an unknown call or a queue where the path names one. */
async function toAddress(path: string, client: SpoolClient): Promise<string> {
  if (!path.includes(':id')) return path
  if (path.startsWith('/threads')) return path.replace(':id', encodeURIComponent('café ☕ / "quotes" & <b>tags</b>'))
  if (path.startsWith('/calls')) return path.replace(':id', '01a2012c-d271-7747-9911-b535129539ee')
  const queue = { project_id: sampleProjectId, name: 'For everyone', scorer_refs: ['weave:///sample/support-bot/scorer/Tone:v1'] }
  const { id } = z.object({ id: z.string() }).parse(await client.postJson('/annotation_queues', queue))
  return path.replace(':id', id)
}

test.describe('axe', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  const expectNoViolations = async (page: Page, part = 'html') => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
      expect(await findViolations(page, part), colorScheme).toEqual([])
    }
  }

  test('finds no violations on the sign-in form', async ({ page }) => {
    await page.goto('/connection')
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await expectNoViolations(page)
  })

  for (const path of ['/threads?size=25', '/costs?view=prices&size=25']) {
    test(`finds no violations in the panel, menus and folded tools of ${path}`, async ({ page, signIn }) => {
      await signIn(path, sampleProjectId)
      await page
        .getByRole('button', { name: /^Options for/ })
        .nth(1)
        .press('Enter')
      await expectNoViolations(page, '[role=menu]:popover-open')
      await page.keyboard.press('Escape')
      await page.locator('tbody [data-row-button]').first().press('Enter')
      await expect(page.getByRole('dialog').getByRole('heading', { level: 2 })).toBeVisible()
      // The table beside it too: with a panel it has other columns.
      await expectNoViolations(page, '.table-split')
      await page.keyboard.press('Escape')
      await page.setViewportSize({ width: 320, height: 640 })
      await page.getByRole('button', { name: 'Filters and tools' }).click()
      await expect(page.getByRole('button', { name: 'Export' })).toBeVisible()
      await expectNoViolations(page, '.table-toolbar')
    })
  }

  for (const path of ['/threads?size=25', '/costs', '/costs?view=prices&size=25', '/queues']) {
    test(`finds no violations in what opens over ${path}`, async ({ page, signIn }) => {
      test.slow()
      await signIn(path, sampleProjectId)
      await expect(page.getByRole('button', { name: 'Export', exact: true })).toBeVisible()
      for (const key of path.startsWith('/queues') ? ['ControlOrMeta+K', '?'] : []) {
        await page.keyboard.press(key)
        await expect(page.getByRole('dialog')).toBeVisible()
        await expectNoViolations(page, 'dialog[open]')
        await page.keyboard.press('Escape')
      }
      // The project, the filters, the preferences, the export.
      const triggers = page.locator('.shell-top [popovertarget]:visible, .table-toolbar [popovertarget]:visible')
      const count = await triggers.count()
      expect(count).toBeGreaterThan(4)
      for (let index = 0; index < count; index += 1) {
        await triggers.nth(index).click()
        await expect(page.locator('[popover]:popover-open').locator('input, textarea, button').first()).toBeVisible()
        await expectNoViolations(page, '[popover]:popover-open')
        await page.keyboard.press('Escape')
      }
    })
  }

  for (const path of paths) {
    test(`finds no violations on ${path}`, async ({ page, signIn, client }) => {
      const address = await toAddress(path, client)
      const hasRows = hasTable(path)
      // More rows of the same cells take axe longer and find nothing else.
      await signIn(hasRows ? `${address}${address.includes('?') ? '&' : '?'}size=25` : address, sampleProjectId)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      // The sample spends on five models.
      if (hasRows) await expect(page.getByRole('row').nth(path === '/costs' ? 5 : 10)).toBeVisible()
      await expectNoViolations(page)
    })
  }
})

test('at 320 px no page scrolls sideways', async ({ page, signIn, client }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await signIn('/costs', 'sample/support-bot')
  for (const path of paths) {
    await page.goto(await toAddress(path, client))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    if (hasTable(path)) await expect(page.getByRole('row').nth(3)).toBeVisible()
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow, path).toBeLessThanOrEqual(0)
    const tooFarOut = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.sr-only')].flatMap((hidden) => {
        const scroller = hidden.parentElement?.closest('[class*="overflow-auto"], [class*="overflow-y-auto"], .shell-main')
        return scroller && !scroller.contains(hidden.offsetParent) ? [hidden.textContent] : []
      }),
    )
    expect(tooFarOut, `${path}: what is hidden scrolls with its text`).toEqual([])
  }
})

for (const width of [640, 768]) {
  test(`at ${width} px the figures that a page is about are on screen without scrolling sideways`, async ({ page, signIn }) => {
    await page.setViewportSize({ width, height: 700 })
    await signIn('/threads', sampleProjectId)
    const expectLabels = async (...labels: string[]) => {
      for (const label of labels) await expect(page.locator(`thead [data-label="${label}"]`)).toBeInViewport({ ratio: 0.9 })
    }
    await expectLabels('Thread', 'Turns', 'p50', 'p99')
    await page.goto('/costs?view=prices')
    await expectLabels('Model', 'Provider', 'Prompt', 'Completion', ...(width === 768 ? ['Cached read'] : []))
  })
}

test('a long and hostile project leaves the top bar usable, and turns no text around', async ({ page, signIn, client }) => {
  const project = 'entity-\u202Ewith-a-name/\u0645\u0634\u0631\u0648\u0639-of-sixty-characters-and-a-zero\u200B-width'
  await writeTurns(client, project, [
    { threadId: '0197c1d2-8a53-7f6e-9b1a-6f2e40c10001', startedAt: Date.now(), durationMs: 20 },
    { threadId: '0197c1d2-8a53-7f6e-9b1a-6f2e40c10002', startedAt: Date.now(), durationMs: 20 },
  ])
  await signIn('/costs', sampleProjectId)
  for (const width of [320, 640, 768]) {
    await page.setViewportSize({ width, height: 700 })
    for (const path of ['/threads', '/queues/new', '/send', '/connection']) {
      await page.goto(`${path}?project=${encodeURIComponent(project)}`)
      await expect(page.getByRole('button', { name: /^Project entity-\\u202Ewith/ })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Command palette' })).toBeInViewport({ ratio: 1 })
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(overflow, `${path} at ${width} px`).toBeLessThanOrEqual(0)
      await expect(page.locator('body')).not.toContainText('\u202E')
    }
  }
  // Ids with equal beginnings are told apart where there is no room for them.
  await page.goto(`/threads?project=${encodeURIComponent(project)}`)
  const tails = page.locator('tbody .cut-text [data-tail]')
  await expect(tails).toHaveCount(2)
  expect(await tails.evaluateAll((all) => all.map((each) => each.clientWidth > 60))).toEqual([true, true])
})

test('at 200 % zoom every item of a menu can be reached', async ({ page, signIn }) => {
  await page.setViewportSize({ width: 640, height: 400 })
  await signIn('/threads', sampleProjectId)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const last = page.getByRole('menuitem', { name: 'Copy the JSON request' })
  await last.scrollIntoViewIfNeeded()
  await expect(last).toBeInViewport({ ratio: 1 })
})

test('on a small phone the whole sign-in form is on screen', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 568 })
  await page.goto('/costs')
  const button = await page.getByRole('button', { name: 'Sign in' }).boundingBox()
  expect((button?.y ?? Infinity) + (button?.height ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0)
})

test('the keyboard alone sorts prices, opens a thread and creates a queue', async ({ page, projectId }) => {
  const tabTo = async (isReached: () => Promise<boolean>) => {
    for (let presses = 0; presses < 80; presses += 1) {
      await page.keyboard.press('Tab')
      if (await isReached()) return
    }
    throw new Error('80 presses of Tab did not reach the element.')
  }
  const isFocused = (locator: Locator) => () => locator.evaluate((element) => element === document.activeElement)

  await page.goto('/connection')
  await expect(page.getByLabel('Username')).toBeFocused()
  await page.keyboard.type('reviewer')
  await page.keyboard.press('Tab')
  await page.keyboard.type('correct horse battery staple')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('sample/support-bot')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('table', { name: 'Spend' })).toBeVisible()
  await tabTo(isFocused(page.getByRole('radio', { name: 'Spend' })))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('row').nth(10)).toBeVisible()

  await tabTo(isFocused(page.getByRole('button', { name: 'Completion', exact: true })))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('columnheader', { name: /Completion/ })).toHaveAttribute('aria-sort', 'descending')

  await page.goto('/threads')
  await expect(page.getByRole('row').nth(10)).toBeVisible()
  await tabTo(isFocused(page.getByRole('button', { name: 'p99', exact: true })))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('columnheader', { name: /^p99/ }).first()).toHaveAttribute('aria-sort', 'descending')
  await tabTo(async () => page.evaluate(() => document.activeElement?.closest('tbody') !== null))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/row=/)

  await page.goto('/queues/new')
  await tabTo(isFocused(page.getByLabel('Name')))
  await page.keyboard.type(`By keyboard ${projectId}`)
  await tabTo(isFocused(page.getByRole('textbox', { name: /Scorer references/ })))
  await page.keyboard.type('weave:///a/b/scorer/n:1')
  await page.keyboard.press('Enter')
  await tabTo(isFocused(page.getByRole('button', { name: 'Create queue' })))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Queue created' })).toBeVisible()
})

test('the theme follows the system until the person chooses one', async ({ page, signIn }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await signIn('/costs')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('button', { name: /theme/i }).click()
  await page.getByRole('menuitemradio', { name: /light/i }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
})
