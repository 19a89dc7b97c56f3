import { randomUUID } from 'node:crypto'
import { type Page, test as base, expect } from 'playwright/test'
import { readRows } from './expect-row'
import { measureLongestTask } from './longest-task'
import { SpoolClient } from './spool-client'
import { SpoolService } from './spool-service'

export const username = 'reviewer'
export const password = 'correct horse battery staple'
const anyProject = 'e2e/any-project'

type TestFixtures = {
  /** A project that no other test uses. */
  projectId: string
  client: SpoolClient
  /** Opens `path` as somebody who is signed in to `project` (default: `projectId`). The form is not used: see `signInByForm`. */
  signIn: (path?: string, project?: string) => Promise<void>
  /** `measureLongestTask` of longest-task.ts, for the page of the test. */
  measureLongestTask: (act: () => Promise<void>) => Promise<number>
  /** Parts of console errors that the test expects. Any other console error fails the test. */
  expectedConsoleErrors: string[]
  failOnConsoleErrors: undefined
}
type WorkerFixtures = {
  service: SpoolService
  /** What the browser stores for somebody who signed in to `anyProject` with the form. */
  signedInStorage: readonly [key: string, value: string][]
}

/** What a service that is still computing the figures of new calls answers. The pages ask again by themselves. */
const isStillComputing = /status of 503 .*\/(?:threads\/(?:search|turns|history|shape)|spend\/query)\)$/

export const test = base.extend<TestFixtures, WorkerFixtures>({
  service: [
    async ({}, use) => {
      const service = await SpoolService.start({ SPOOL_USERNAME: username, SPOOL_PASSWORD: password })
      await use(service)
      await service.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  signedInStorage: [
    async ({ browser, service }, use) => {
      const page = await browser.newPage({ baseURL: service.url })
      await page.goto('/connection')
      await signInByForm(page, anyProject)
      const stored = await page.evaluate(() => Object.entries(localStorage))
      await page.close()
      await use(stored)
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ service }, use) => use(service.url),
  client: async ({ service }, use) => use(new SpoolClient(service.url, username, password)),
  projectId: async ({}, use) => use(`e2e/${randomUUID().slice(0, 8)}`),
  measureLongestTask: async ({ browser, page }, use) => use((act) => measureLongestTask(browser, page, act)),
  expectedConsoleErrors: async ({}, use) => use([]),
  failOnConsoleErrors: [
    async ({ page, expectedConsoleErrors }, use) => {
      const unexpected: string[] = []
      const check = (text: string) => {
        const isExpected = expectedConsoleErrors.some((expected) => text.includes(expected)) || isStillComputing.test(text)
        if (!isExpected) unexpected.push(text)
      }
      page.on('console', (message) => {
        if (message.type() === 'error') check(`${message.text()} (${message.location().url})`)
      })
      page.on('pageerror', (error) => check(String(error)))
      await use(undefined)
      expect(unexpected).toEqual([])
    },
    { auto: true },
  ],
  signIn: async ({ page, projectId, service, signedInStorage }, use) => {
    await use(async (path = '/costs', project = projectId) => {
      const data = { username, password, is_remembered: false }
      expect((await page.request.post('/session', { data })).ok()).toBe(true)
      const stored = signedInStorage.map(([key, value]) => [key, value.replaceAll(anyProject, project)] as const)
      // Runs before the dashboard, on every page: what the test itself stored stays.
      await page.addInitScript(
        ({ origin, entries }) => {
          if (location.origin !== origin || localStorage.length > 0) return
          for (const [key, value] of entries) localStorage.setItem(key, value)
        },
        { origin: service.url, entries: stored },
      )
      await page.goto(path)
      await expect(page.getByRole('button', { name: `Project ${project}` })).toBeVisible()
    })
  },
})

/** Fills in and sends the sign-in form of the current page. */
export async function signInByForm(page: Page, projectId: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Project').first().fill(projectId)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('button', { name: `Project ${projectId}` })).toBeVisible()
}

/** The rows of the table with this name, as `readRows` gives them. */
export async function readTable(page: Page, name: string | RegExp): Promise<Record<string, string>[]> {
  return readRows(page.getByRole('table', { name }))
}

export { expect }
