import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright/test'
import { FaultProxy } from './fault-proxy'
import { expect, signInByForm, test } from './fixtures'
import { SpoolService } from './spool-service'
import { writeTurns } from './turns'

const password = 'correct horse battery staple'

async function readToken(context: BrowserContext): Promise<string> {
  const [cookie] = await context.cookies()
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', name: expect.stringMatching(/^spool_session_\d+$/) })
  expect(cookie?.value).toMatch(/^[\w-]{43}$/)
  return cookie?.value ?? ''
}

/** Everything of the page that a script can read, as text. */
async function readEverything(page: Page): Promise<string> {
  return await page.evaluate(async () => {
    const seen = new Set<unknown>()
    const texts: string[] = [document.cookie, document.documentElement.outerHTML, location.href, document.referrer]
    const collect = (value: unknown, depth: number) => {
      if (typeof value === 'string') texts.push(value)
      if (typeof value !== 'object' && typeof value !== 'function') return
      if (value === null || depth > 6 || seen.has(value)) return
      // The browser's own classes: their prototypes have getters that fail.
      if (typeof value === 'function' && Function.prototype.toString.call(value).includes('[native code]')) return
      seen.add(value)
      if (value instanceof Map || value instanceof Set) for (const each of value) collect(each, depth + 1)
      for (const key of Reflect.ownKeys(value)) {
        if (typeof key === 'string') texts.push(key)
        try {
          collect(Reflect.get(value, key), depth + 1)
        } catch {
          // A getter that needs another object.
        }
      }
    }
    for (const each of [localStorage, sessionStorage, history.state, performance.getEntries().map((entry) => entry.toJSON())]) {
      texts.push(JSON.stringify(each))
    }
    texts.push(JSON.stringify(await indexedDB.databases()), JSON.stringify(await caches.keys()))
    collect(window, 0)
    // React hangs its state onto the elements.
    for (const element of document.querySelectorAll('*')) {
      for (const key of Object.keys(element)) if (key.startsWith('__react')) collect(Reflect.get(element, key), 0)
    }
    return texts.join('\n')
  })
}

test('after a sign-in by the form no script of the page can read the password or the token', async ({
  page,
  context,
  projectId,
}) => {
  const requests: string[] = []
  page.on('request', (request) => requests.push(JSON.stringify(request.headers())))
  await page.goto('/connection')
  await signInByForm(page, projectId)
  await expect(page.getByRole('row').nth(5)).toBeVisible({ timeout: 30_000 })
  const token = await readToken(context)
  for (const path of [undefined, '/connection', '/queues/new', '/send']) {
    if (path !== undefined) await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const everything = await readEverything(page)
    expect(everything).toContain('reviewer')
    for (const secret of [password, btoa(`reviewer:${password}`), encodeURIComponent(password), token]) {
      expect(everything.includes(secret), `${secret} on ${path}`).toBe(false)
    }
  }
  expect(requests.length).toBeGreaterThan(5)
  expect(requests.filter((headers) => /authorization/i.test(headers))).toEqual([])
})

test('after a sign-in by the link no script of the page can read the password or the token', async ({ browser }) => {
  const folder = mkdtempSync(join(tmpdir(), 'spool-e2e-'))
  const users = [{ username: 'admin', password: 'the password of the administrator', projects: '*' }]
  writeFileSync(join(folder, 'users.json'), JSON.stringify(users), { mode: 0o600 })
  const service = await SpoolService.start({ SPOOL_DATA: folder })
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const bodies: Promise<string>[] = []
    page.on('response', (response) => {
      if (/session/.test(response.url())) bodies.push(response.text())
    })
    await page.goto(service.signInLink)
    await expect(page.getByRole('row').nth(5)).toBeVisible({ timeout: 30_000 })
    const secrets = ['the password of the administrator', await readToken(context)]
    const everything = `${await readEverything(page)}${(await Promise.all(bodies)).join('')}`
    expect(everything).toContain('admin')
    for (const secret of secrets) expect(everything.includes(secret), secret).toBe(false)
  } finally {
    await context.close()
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('"keep me signed in" lasts 30 days; otherwise the browser forgets the session when it closes', async ({
  page,
  context,
  projectId,
}) => {
  await page.goto('/connection')
  await page.getByLabel('Keep me signed in on this device for 30 days').check()
  await signInByForm(page, projectId)
  const days = ((await context.cookies())[0]?.expires ?? 0) / 86_400 - Date.now() / 86_400_000
  expect(days).toBeGreaterThan(29)
  await page.goto('/connection')
  await expect(page.getByRole('region', { name: 'Session' })).toContainText(/Signed in as reviewer\s*Until \d{4}-/)
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.getByLabel('Keep me signed in on this device for 30 days').uncheck()
  await signInByForm(page, projectId)
  expect((await context.cookies())[0]?.expires).toBe(-1)
})

test('a second tab is signed in at once, and signing out in one signs out the other', async ({ page, context, signIn }) => {
  await signIn('/threads')
  const other = await context.newPage()
  await other.goto('/queues')
  await expect(other.getByRole('heading', { level: 1, name: 'Queues' })).toBeVisible()
  await page.goto('/connection')
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(other).toHaveURL(/\/queues\?/)
  expect(await context.cookies()).toEqual([])
})

test('a tab at the sign-in form opens its page when another tab signs in', async ({ page, context, projectId }) => {
  const other = await context.newPage()
  await other.goto('/queues')
  await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.goto('/connection')
  await signInByForm(page, projectId)
  await expect(other.getByRole('heading', { level: 1, name: 'Queues' })).toBeVisible()
})

test('signing out everywhere ends the sessions of other browsers', async ({ page, browser, signIn, service, projectId }) => {
  const far = await browser.newContext({ baseURL: service.url })
  const farPage = await far.newPage()
  await farPage.goto('/connection')
  await signInByForm(farPage, projectId)
  await signIn('/connection')
  await expect(page.getByRole('region', { name: 'Session' })).toContainText(/other browser/)
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  // It says that the session has ended, unless it had noticed before the reload.
  await farPage.reload()
  await expect(farPage.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await far.close()
})

test('signing out says so when the server does not respond, because only the server can end the session', async ({
  page,
  signIn,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push('ERR_CONNECTION_REFUSED')
  await signIn('/connection')
  await page.route('**/session', (route) =>
    route.request().method() === 'DELETE' ? route.abort('connectionrefused') : route.continue(),
  )
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('You may still be signed in')
  await page.unroute('**/session')
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test('a new queue survives the end of the session', async ({ page, context, signIn, projectId, expectedConsoleErrors }) => {
  expectedConsoleErrors.push('401')
  await signIn('/queues/new')
  await page.getByLabel('Name').fill('Half written')
  await context.clearCookies()
  await page.getByRole('textbox', { name: /Scorer references/ }).fill('weave:///a/b/scorer/n:1')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Create queue' }).click()
  await expect(page.getByText('Your session has ended. Sign in again.')).toBeVisible()
  await expect(page).toHaveURL(/\/queues\/new\?/)
  await signInByForm(page, projectId)
  await expect(page.getByLabel('Name')).toHaveValue('Half written')
  await page.getByRole('button', { name: 'Create queue' }).click()
  await expect(page.getByRole('region', { name: 'Queue created' })).toBeVisible()
})

test.describe('with two users', () => {
  let folder = ''
  let service: SpoolService
  test.beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'spool-e2e-'))
    const users = [
      { username: 'ann', password: 'ann-secret', projects: '*' },
      { username: 'kim', password: 'kim-secret', projects: ['acme/support'] },
    ]
    writeFileSync(join(folder, 'users.json'), JSON.stringify(users), { mode: 0o600 })
    service = await SpoolService.start({ SPOOL_DATA: folder })
  })
  test.afterAll(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const signInAs = async (page: Page, username: string, project: string) => {
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(`${username}-secret`)
    await page.getByLabel('Project').first().fill(project)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('button', { name: `Project ${project}` })).toBeVisible()
  }

  test('when another user signs in in another tab, a tab shows none of that data until its person agrees', async ({
    page,
    context,
  }) => {
    await page.goto(`${service.url}/threads`)
    await signInAs(page, 'ann', 'sample/support-bot')
    await expect(page.getByRole('row').nth(5)).toBeVisible({ timeout: 30_000 })

    const other = await context.newPage()
    await other.goto(`${service.url}/connection`)
    await other.getByRole('button', { name: 'Sign out', exact: true }).click()
    await signInAs(other, 'kim', 'acme/support')

    await expect(page.getByText('kim is signed in in this browser')).toBeVisible()
    await expect(page.getByRole('row')).toHaveCount(0)
    await page.getByRole('button', { name: 'Continue as kim' }).click()
    await expect(page.getByRole('button', { name: 'Project acme/support' })).toBeVisible()
    await expect(page).toHaveURL(/\/threads/)
  })

  test('a request that names another user than the session has is refused, even if the tab has not noticed yet', async ({
    page,
    context,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push('401')
    await page.goto(`${service.url}/threads`)
    await signInAs(page, 'ann', 'sample/support-bot')
    await expect(page.getByRole('row').nth(5)).toBeVisible({ timeout: 30_000 })
    // Only the cookie changes: no storage event tells the tab.
    const response = await fetch(`${service.url}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: service.url },
      body: JSON.stringify({ username: 'kim', password: 'kim-secret', is_remembered: false }),
    })
    const [name = '', value = ''] = response.headers.get('set-cookie')?.split(';', 1)[0]?.split('=') ?? []
    await context.addCookies([{ name, value, url: service.url, httpOnly: true, sameSite: 'Strict' }])
    await page.getByRole('button', { name: 'Refresh', exact: true }).click()
    await expect(page.getByText("The user 'kim' has signed in in this browser since. Sign in again.")).toBeVisible()
  })
})

test('a browser that keeps no cookies is told so', async ({ page, context, expectedConsoleErrors }) => {
  expectedConsoleErrors.push('401')
  await page.goto('/connection')
  await page.route('**/projects', async (route) => {
    await context.clearCookies()
    await route.continue({ headers: { ...route.request().headers(), cookie: '' } })
  })
  await page.getByLabel('Username').fill('reviewer')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toContainText('Allow cookies for this address.')
})

test('two services on one host keep their sessions apart', async ({ page, signIn, projectId }) => {
  await signIn('/threads')
  const second = await SpoolService.start({ SPOOL_USERNAME: 'reviewer', SPOOL_PASSWORD: password })
  try {
    await page.goto(`${second.url}/threads`)
    await signInByForm(page, projectId)
    await page.goto('/queues')
    await expect(page.getByRole('heading', { level: 1, name: 'Queues' })).toBeVisible()
    await page.goto(`${second.url}/queues`)
    await expect(page.getByRole('heading', { level: 1, name: 'Queues' })).toBeVisible()
  } finally {
    await page.goto('about:blank') // the page would ask the stopped service again
    await second.stop()
  }
})

test('a password that an earlier version stored for this server is deleted, and the person signs in', async ({
  page,
  projectId,
}) => {
  await page.goto('/connection')
  await page.evaluate((stored) => {
    const saved = { id: 'a1', name: 'This server', baseUrl: '', username: 'reviewer', projectId: 'a/b', isRemembered: true }
    localStorage.setItem('spool.connections', JSON.stringify([saved]))
    localStorage.setItem('spool.passwords', JSON.stringify({ a1: stored }))
  }, password)
  await page.reload()
  await expect(page.getByLabel('Username')).toHaveValue('reviewer')
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(password)
  await signInByForm(page, projectId)
})

test('in front of another service the password stays in the tab, and no cookie is sent', async ({
  page,
  context,
  service,
  projectId,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push('404')
  const front = await SpoolService.start({ SPOOL_UPSTREAM: service.url })
  try {
    await page.goto(`${front.url}/connection`)
    await signInByForm(page, projectId)
    await page.goto(`${front.url}/threads`)
    await expect(page.getByRole('main')).toContainText(/no thread/i)
    expect(await context.cookies()).toEqual([])
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(password)
    await page.goto(`${front.url}/connection`)
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(password)
  } finally {
    await front.stop()
  }
})

test('a connection to another service sends its password, and never a cookie', async ({
  page,
  signIn,
  service,
  projectId,
  expectedConsoleErrors,
}) => {
  // Whether it takes prices is asked by GET, which records nothing.
  expectedConsoleErrors.push('/cost/create')
  const seen: Record<string, unknown>[] = []
  const other = await FaultProxy.start(service.url, ({ headers }) => {
    seen.push(headers)
    return {}
  })
  await signIn('/connection')
  await page.getByRole('button', { name: 'Add connection' }).click()
  await expect(page.getByText('Password', { exact: true })).toHaveCount(0)
  await page.getByLabel('Server address').fill(other.url)
  await page.getByRole('textbox', { name: 'Project' }).fill(projectId)
  await page.getByLabel('Username').fill('reviewer')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Save and use' }).click()
  await expect(page.getByRole('row').nth(5)).toBeVisible({ timeout: 30_000 })
  expect(seen.filter(({ cookie }) => cookie !== undefined)).toEqual([])
  expect(seen.some(({ authorization }) => String(authorization).startsWith('Basic '))).toBe(true)

  // Back to the own server, whose session has been ended in another tab.
  await page.goto('/connection')
  const tab = await page.context().newPage()
  await tab.goto('/connection')
  await tab.getByRole('button', { name: 'Use This server' }).click()
  await tab.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(tab.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.getByRole('button', { name: 'Use This server' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByLabel('Username')).toHaveValue('reviewer')
  other.close()
})

test('a link to a call leads to the call in its thread, also from a page of another site and through the sign-in', async ({
  page,
  client,
  projectId,
}) => {
  const [id] = await writeTurns(client, projectId, [
    { threadId: 'ticket 7', startedAt: Date.parse('2026-01-05T09:00:00Z'), durationMs: 1000 },
  ])
  const link = `/${projectId}/r/call/${id}`
  const expectCall = async () => {
    await expect(page).toHaveURL(new RegExp(`/threads/ticket%207\\?turn=${id}&project=${projectId}$`))
    await expect(page.getByRole('heading', { level: 1, name: 'ticket 7' })).toBeVisible()
    await expect(page.getByText('Question 1').first()).toBeVisible()
  }
  await page.goto(link)
  await signInByForm(page, projectId)
  await expectCall()

  // The browser sends no session cookie with the request for a link on this page, which is of no site at all.
  const href = new URL(link, page.url()).href
  await page.goto('about:blank')
  await page.setContent(`<a href="${href}">the call</a>`)
  await page.getByRole('link', { name: 'the call' }).click()
  await expectCall()
})

test('a link to a call asks for the sign-in where the session has ended, and leads on to the call', async ({
  page,
  context,
  client,
  projectId,
  signIn,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push('401')
  const [id] = await writeTurns(client, projectId, [
    { threadId: 'ticket 8', startedAt: Date.parse('2026-01-05T09:00:00Z'), durationMs: 1000 },
  ])
  await signIn('/queues')
  await expect(page.getByRole('heading', { level: 1, name: 'Queues' })).toBeVisible()
  await context.clearCookies()
  await page.goto(`/${projectId}/r/call/${id}`)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'ticket 8' })).toBeVisible()
})

test('a link that leads through the sign-in keeps its project, although nothing is in it yet', async ({ page, projectId }) => {
  await page.goto(`/${projectId}/weave`)
  await page.getByLabel('Username').fill('reviewer')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('main')).toContainText('No thread has a turn yet')
  expect(new URL(page.url()).searchParams.get('project')).toBe(projectId)
})

test('a link to a call that is not there yet, or in no thread, says so', async ({ page, client, projectId, signIn }) => {
  const id = randomUUID()
  await signIn(`/${projectId}/r/call/${id}`)
  await expect(page.getByText('There is no such call in this project. It may not have arrived yet.')).toBeVisible()
  await expect(page.getByRole('main')).toContainText(id)
  const start = { project_id: projectId, id, trace_id: randomUUID(), op_name: 'rank', started_at: '2026-01-05T09:00:00Z' }
  await client.postJson('/call/upsert_batch', {
    batch: [{ mode: 'start', req: { start: { ...start, attributes: {}, inputs: {} } } }],
  })
  await page.getByRole('button', { name: 'Look again' }).click()
  await expect(page.getByText('This call is in no thread, and calls are shown in their threads.')).toBeVisible()
  const other = { ...start, id: randomUUID(), thread_id: 'ticket 9', attributes: {}, inputs: {} }
  await client.postJson('/call/upsert_batch', { batch: [{ mode: 'start', req: { start: other } }] })
  await page.goto(`/${projectId}/r/call/${other.id}`)
  await expect(page.getByText('This call is in the thread ticket 9, but in none of its turns')).toBeVisible()
  await page.getByRole('link', { name: 'All threads' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Threads' })).toBeVisible()

  // A thread whose id no address can hold has no page.
  const [ofDot] = await writeTurns(client, projectId, [
    { threadId: '.', startedAt: Date.parse('2026-01-05T09:00:00Z'), durationMs: 1 },
  ])
  await page.goto(`/${projectId}/r/call/${ofDot}`)
  await expect(page.getByRole('dialog', { name: 'Thread .' })).toBeVisible()
})
