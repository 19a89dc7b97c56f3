import { expect, type Page } from 'playwright/test'
import { ForeignService } from './foreign-service'

/** A connection to the foreign service, as a person has saved it earlier; its password is not stored. */
export async function saveConnection(page: Page, baseUrl: string): Promise<void> {
  const connection = {
    id: 'foreign',
    name: 'Foreign',
    baseUrl,
    username: ForeignService.username,
    projectId: 'team/app',
    isRemembered: false,
  }
  await page.addInitScript((saved) => localStorage.setItem('spool.connections', saved), JSON.stringify([connection]))
}

export async function signIn(page: Page): Promise<string> {
  await page.getByLabel('Password', { exact: true }).fill(ForeignService.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const problem = page.getByRole('form', { name: 'Sign in' }).getByRole('alert')
  await expect(problem.or(page.getByRole('link', { name: 'Threads' }).first())).toBeVisible()
  if (!(await problem.isVisible())) return 'ok'
  // The pages are looked at also where signing in failed: the service may fail later too.
  await page.evaluate((password) => {
    sessionStorage.setItem('spool.passwords', JSON.stringify({ foreign: password }))
  }, ForeignService.password)
  await page.reload()
  return 'says so'
}
