import { randomUUID } from 'node:crypto'
import { type Page, test as base, expect } from 'playwright/test'
import { readRows } from './expect-row'
import { SpoolClient } from './spool-client'
import { SpoolService } from './spool-service'

const username = 'reviewer'
const password = 'correct horse battery staple'

type TestFixtures = {
  /** A project no other test knows. */
  projectId: string
  client: SpoolClient
  /** Signs in by the form, for `projectId`, and ends on the page that `path` names. */
  signIn: (path?: string, project?: string) => Promise<void>
  /** Console errors a test expects: text that must be part of the message. Any other fails the test. */
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
      const note = (text: string) => {
        if (!expectedConsoleErrors.some((expected) => text.includes(expected))) unexpected.push(text)
      }
      page.on('console', (message) => {
        if (message.type() === 'error') note(`${message.text()} (${message.location().url})`)
      })
      page.on('pageerror', (error) => note(String(error)))
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

/** Fills in the sign-in form that the page shows. */
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
