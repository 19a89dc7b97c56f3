import { expect, signInByForm, test } from './fixtures'
import { FaultProxy } from './fault-proxy'
import { SpoolService } from './spool-service'

test('after the sign-in the requested view opens', async ({ page, projectId, expectedConsoleErrors }) => {
  expectedConsoleErrors.push('401')
  await page.goto('/threads?size=100&sort=-turn_count')
  await signInByForm(page, projectId)
  await expect(page).toHaveURL(/\/threads\?.*size=100/)
  await expect(page.getByRole('heading', { name: 'Threads' })).toBeVisible()
})

test('a wrong password is reported in the form, which keeps the username', async ({ page, expectedConsoleErrors }) => {
  expectedConsoleErrors.push('401')
  await page.goto('/connection')
  await page.getByLabel('Username').fill('reviewer')
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('The username or password is wrong.')).toBeVisible()
  await expect(page.getByLabel('Username')).toHaveValue('reviewer')
})

test('when the session has ended, the person signs in again and returns to the same view', async ({
  page,
  context,
  signIn,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push('401')
  await signIn('/threads?size=25')
  await expect(page.getByRole('main')).toContainText(/no thread/i)
  await context.clearCookies()
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByText('Your session has ended. Sign in again.')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/threads\?.*size=25/)
  await expect(page.getByRole('main')).not.toContainText('Sign in')
})

test('a sign-in link works once and leaves no code in the address', async ({ browser }) => {
  const service = await SpoolService.start()
  try {
    const link = service.signInLink
    const page = await browser.newPage()
    await page.goto(link)
    await expect(page.getByRole('table', { name: 'Spend' })).toBeVisible()
    expect(page.url()).not.toContain('code')
    await page.goto(`${service.url}/threads`)
    await expect(page.getByRole('row').nth(5)).toBeVisible()

    const second = await browser.newContext()
    const late = await second.newPage()
    await late.goto(link)
    await expect(late.getByText(/link/i).first()).toBeVisible()
    await expect(late.getByRole('button', { name: 'Sign in' })).toBeVisible()
    await second.close()
    await page.close()
  } finally {
    await service.stop()
  }
})

test('the connection test tells what works, and forgets it when the address changes', async ({ page, signIn }) => {
  await signIn('/connection', 'sample/support-bot')
  const writes: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') writes.push(new URL(request.url()).pathname)
  })
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  const results = page.getByRole('list', { name: 'Test results' })
  await expect(results.getByRole('listitem')).toHaveText([
    /Costs\s*Fine/,
    /Threads\s*Fine/,
    /Create queues\s*Takes requests/,
    /List queues/,
  ])
  await expect(results).not.toContainText(/No response|Unknown|Failed|Rejected/)
  expect(writes).not.toContain('/annotation_queues')
  await page.getByLabel('Server address').fill('https://spool.example.com')
  await expect(results).toBeHidden()
})

test('every page works with a service that has only the three main operations', async ({
  page,
  projectId,
  service,
  expectedConsoleErrors,
}) => {
  const operations = new Set(['/cost/query', '/threads/stream_query', '/annotation_queues'])
  const proxy = await FaultProxy.start(service.url, ({ method, url = '' }) => ({
    isMissing:
      !(method === 'GET' && (url === '/' || url.startsWith('/assets/') || /^\/(?:costs|threads|queues|connection)/.test(url))) &&
      !operations.has(url),
  }))
  expectedConsoleErrors.push('404')
  await page.goto(`${proxy.url}/connection`)
  await signInByForm(page, projectId)
  await expect(page.getByRole('table', { name: /costs/i }).getByRole('row').nth(10)).toBeVisible()
  await page.goto(`${proxy.url}/threads`)
  await expect(page.getByRole('main')).toContainText(/no thread/i)
  await page.goto(`${proxy.url}/queues`)
  await expect(page.getByRole('main')).toContainText(/cannot list/i)
  await page.goto(`${proxy.url}/queues/new`)
  await page.getByLabel('Name').fill('Made here')
  await page.getByRole('textbox', { name: /Scorer references/ }).fill('weave:///a/b/scorer/n:1')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Create queue' }).click()
  await expect(page.getByRole('region', { name: 'Queue created' })).toBeVisible()
  proxy.close()
})
