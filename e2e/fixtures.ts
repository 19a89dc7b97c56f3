import { randomUUID } from 'node:crypto'
import { type Page, test as base, expect } from 'playwright/test'
import { readRows } from './expect-row'
import { SpoolClient } from './spool-client'
import { SpoolService } from './spool-service'

const username = 'reviewer'
const password = 'correct horse battery staple'

type TestFixtures = {
  /** A project that no other test uses. */
  projectId: string
  client: SpoolClient
  /** Signs in to `project` (default: `projectId`) with the form, then opens `path`. */
  signIn: (path?: string, project?: string) => Promise<void>
  /** Parts of console errors that the test expects. Any other console error fails the test. */
  expectedConsoleErrors: string[]
  failOnConsoleErrors: undefined
}
type WorkerFixtures = { service: SpoolService }

export const test = base.extend<TestFixtures, WorkerFixtures>({
  service: [
    async ({}, use) => {
      const service = await SpoolService.start({ SPOOL_USERNAME: username, SPOOL_PASSWORD: password })
      await use(service)
      await service.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ service }, use) => use(service.url),
  client: async ({ service }, use) => use(new SpoolClient(service.url, username, password)),
  projectId: async ({}, use) => use(`e2e/${randomUUID().slice(0, 8)}`),
  expectedConsoleErrors: async ({}, use) => use([]),
  failOnConsoleErrors: [
    async ({ page, expectedConsoleErrors }, use) => {
      const unexpected: string[] = []
      const check = (text: string) => {
        if (!expectedConsoleErrors.some((expected) => text.includes(expected))) unexpected.push(text)
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
  signIn: async ({ page, projectId }, use) => {
    await use(async (path = '/costs', project = projectId) => {
      await page.goto('/connection')
      await signInByForm(page, project)
      if (path !== '/costs') await page.goto(path)
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
