import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administrator, basic, openTestApp, reviewer, type TestApp } from '../testing/test-app'

let service: TestApp
beforeAll(async () => {
  service = await openTestApp({ initialProjectId: 'sample/bot' })
})
afterAll(() => service.close())

const host = '127.0.0.1:7766'
const own = { host, origin: `http://${host}`, 'content-type': 'application/json' }
type Headers = Record<string, string>

const post = (path: string, body: unknown, headers: Headers = own) =>
  service.app.request(path, { method: 'POST', headers, body: JSON.stringify(body) })
type Credentials = { username: string; password: string }
const signIn = ({ username, password }: Credentials = administrator, isRemembered = false, headers: Headers = own) =>
  post('/session', { username, password, is_remembered: isRemembered }, headers)
/** What the browser sends back: the name and value of the cookie. */
const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
const signedInCookie = async (user?: Credentials, isRemembered?: boolean) => cookieOf(await signIn(user, isRemembered))
const queryThreads = (headers: Headers) => post('/threads/stream_query', { project_id: 'acme/support' }, { ...own, ...headers })
const problem = async (response: Response) => {
  const { detail }: { detail: { type: string }[] } = await response.json()
  return [response.status, detail[0]?.type, response.headers.get('www-authenticate')]
}

test('a sign-in sets a cookie that scripts cannot read, and the cookie stands for the password', async () => {
  const response = await signIn()
  expect(await response.json()).toEqual({ username: 'admin', project_id: 'sample/bot' })
  expect(response.headers.get('set-cookie')).toMatch(/^spool_session_7766=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
  const cookie = cookieOf(response)
  expect((await queryThreads({ cookie })).status).toBe(200)
  const session = await service.app.request('/session', { headers: { host, cookie } })
  expect(await session.json()).toEqual({ username: 'admin', projects: '*', expires_at: null, session_count: 1 })
})

test('the project to open first is named only to those who may open it', async () => {
  expect(await (await signIn(reviewer)).json()).toEqual({ username: reviewer.username, project_id: null })
})

test('a remembered session says until when', async () => {
  const response = await signIn(administrator, true)
  expect(response.headers.get('set-cookie')).toMatch(/; Max-Age=2592000$/)
  const session = await service.app.request('/session', { headers: { host, cookie: cookieOf(response) } })
  const { expires_at }: { expires_at: string } = await session.json()
  expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(29 * 86_400_000)
})

test('the user has the access of the session, and no other', async () => {
  const cookie = await signedInCookie(reviewer)
  expect((await queryThreads({ cookie })).status).toBe(200)
  expect(await problem(await post('/threads/stream_query', { project_id: 'acme/other' }, { ...own, cookie }))).toEqual([
    403,
    'forbidden',
    null,
  ])
})

test('behind https the cookie is Secure; without a port in the address its name has none', async () => {
  const response = await signIn(administrator, false, { ...own, host: 'spool.localhost', origin: 'https://spool.localhost' })
  expect(response.headers.get('set-cookie')).toMatch(/^spool_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/)
})

test('a session of another port of this host is not taken for one of this', async () => {
  const cookie = (await signedInCookie()).replace('7766', '7767')
  expect(await problem(await queryThreads({ cookie }))).toEqual([401, 'missing', 'Basic realm="spool"'])
  expect((await queryThreads({ cookie: `a=b; ${cookie}; ${await signedInCookie()}` })).status).toBe(200)
})

describe('a wrong password', () => {
  test.each([
    [{ username: 'admin', password: 'wrong' }],
    [{ username: 'nobody', password: 'admin-secret' }],
    [{ username: '', password: '' }],
  ])('%j sets no cookie and opens no dialog of the browser', async (user) => {
    const response = await signIn(user)
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(await problem(response)).toEqual([401, 'invalid_credentials', null])
  })

  test('of the wrong type is a 422 that does not repeat it', async () => {
    const response = await post('/session', { username: 'admin', password: ['secret'], is_remembered: false })
    expect(response.status).toBe(422)
    expect(await response.text()).not.toContain('secret')
  })
})

describe('every kind of operation', () => {
  const operations = [
    ['JSON', '/cost/query', 'application/json', '{"project_id":"acme/support"}'],
    ['a stream', '/threads/stream_query', 'application/json', '{"project_id":"acme/support"}'],
    ['OTLP', '/otel/v1/traces', 'application/json', '{"resourceSpans":[]}'],
    [
      'a file',
      '/file/create',
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="project_id"\r\n\r\nacme/support\r\n' +
        '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nb\r\n--x--\r\n',
    ],
  ] as const

  test.each(operations)('%s accepts the cookie from its own pages only', async (_, path, mediaType, body) => {
    const cookie = await signedInCookie()
    const send = (headers: Headers) =>
      service.app.request(path, {
        method: 'POST',
        headers: { host, cookie, 'content-type': mediaType, project_id: 'acme/support', ...headers },
        body,
      })
    expect((await send({ origin: `http://${host}` })).status).toBe(200)
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'http://127.0.0.1:7767' },
      { origin: 'http://localhost:7766' },
      { origin: 'null' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'http://127.0.0.1:7767', 'sec-fetch-site': 'same-site' },
      {},
    ]) {
      expect(await problem(await send(headers)), JSON.stringify(headers)).toEqual([403, 'foreign_origin', null])
    }
  })

  test('a proxy may change the host: the browser says that the page is the own one', async () => {
    const cookie = await signedInCookie()
    const headers = { cookie, origin: 'https://spool.example.com', 'sec-fetch-site': 'same-origin' }
    expect((await queryThreads(headers)).status).toBe(200)
  })

  test('a GET needs no Origin, but none of another page', async () => {
    const cookie = await signedInCookie()
    const get = (headers: Headers) => service.app.request('/projects', { headers: { host, cookie, ...headers } })
    expect((await get({})).status).toBe(200)
    expect((await get({ origin: `http://${host}` })).status).toBe(200)
    expect((await get({ origin: 'http://127.0.0.1:7767' })).status).toBe(403)
  })
})

describe('other credentials beside the cookie', () => {
  test('win, right or wrong', async () => {
    const cookie = await signedInCookie()
    const user = (headers: Headers) => service.app.request('/session', { headers: { host, cookie, ...headers } })
    expect(await (await user({ authorization: basic(reviewer) })).json()).toMatchObject({ username: reviewer.username })
    expect(await (await user({ 'wandb-api-key': reviewer.password })).json()).toMatchObject({ username: reviewer.username })
    expect(await problem(await queryThreads({ cookie, authorization: 'Bearer wrong' }))).toEqual([
      401,
      'invalid_credentials',
      null,
    ])
    // They need no Origin: no page can send them unless its user typed them in there.
    const foreign = { cookie, authorization: basic(administrator), origin: 'http://127.0.0.1:7767' }
    expect((await queryThreads(foreign)).status).toBe(200)
  })

  test('that the browser added to a request of the dashboard do not count', async () => {
    const cookie = await signedInCookie()
    const headers = { host, cookie, authorization: basic(reviewer), 'spool-session-user': 'admin' }
    expect(await (await service.app.request('/session', { headers })).json()).toMatchObject({ username: 'admin' })
  })
})

test('a page that shows one user gets no data of another who signed in since', async () => {
  const cookie = await signedInCookie(reviewer)
  expect((await queryThreads({ cookie, 'spool-session-user': encodeURIComponent(reviewer.username) })).status).toBe(200)
  expect(await problem(await queryThreads({ cookie, 'spool-session-user': 'admin' }))).toEqual([
    401,
    'session_of_another_user',
    null,
  ])
})

describe('signing out', () => {
  const send = (method: string, path: string, headers: Headers) =>
    service.app.request(path, { method, headers: { ...own, ...headers } })

  test('ends the session and deletes the cookie; again it changes nothing', async () => {
    const [cookie, other] = [await signedInCookie(), await signedInCookie()]
    const response = await send('DELETE', '/session', { cookie })
    expect([response.status, await response.json()]).toEqual([200, {}])
    expect(response.headers.get('set-cookie')).toBe('spool_session_7766=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0')
    expect(await problem(await queryThreads({ cookie }))).toEqual([401, 'session_ended', null])
    expect((await queryThreads({ cookie: other })).status).toBe(200)
    expect((await send('DELETE', '/session', { cookie })).status).toBe(200)
    expect((await send('DELETE', '/session', {})).status).toBe(200)
  })

  test('everywhere ends the sessions of all browsers, with a session or a password', async () => {
    const cookies = [await signedInCookie(), await signedInCookie(administrator, true)]
    expect((await send('DELETE', '/sessions', { cookie: cookies[0] ?? '' })).status).toBe(200)
    for (const cookie of cookies) expect((await queryThreads({ cookie })).status).toBe(401)
    const third = await signedInCookie()
    expect((await send('DELETE', '/sessions', { authorization: basic(administrator) })).status).toBe(200)
    expect((await queryThreads({ cookie: third })).status).toBe(401)
  })

  test('is not done for pages of others', async () => {
    const cookie = await signedInCookie()
    for (const path of ['/session', '/sessions']) {
      for (const origin of ['https://evil.example', 'http://127.0.0.1:7767']) {
        expect((await send('DELETE', path, { cookie, origin })).status).toBe(403)
      }
    }
    expect((await queryThreads({ cookie })).status).toBe(200)
  })
})

test('a page of another site cannot sign its visitors in', async () => {
  const response = await signIn(administrator, false, { ...own, origin: 'https://evil.example' })
  expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null])
  const code = service.signInCodes.issue(administrator)
  expect((await post('/session/redeem', { code }, { ...own, origin: 'https://evil.example' })).status).toBe(403)
  expect((await post('/session/redeem', { code })).status).toBe(200)
})

test('a new sign-in replaces the session of the browser', async () => {
  const cookie = await signedInCookie()
  await signIn(reviewer, false, { ...own, cookie })
  expect((await queryThreads({ cookie })).status).toBe(401)
})

test('who is signed in is told without a dialog of the browser', async () => {
  const session = (headers: Headers) => service.app.request('/session', { headers: { host, ...headers } })
  expect(await problem(await session({}))).toEqual([401, 'missing', null])
  expect(await problem(await session({ cookie: 'spool_session_7766=x' }))).toEqual([401, 'session_ended', null])
  expect(await problem(await session({ 'spool-session-user': 'admin' }))).toEqual([401, 'session_ended', null])
})

describe('a sign-in code', () => {
  const redeem = (code: unknown) => post('/session/redeem', { code })

  test('is redeemed once, for a session and without a password', async () => {
    const code = service.signInCodes.issue(administrator)
    const response = await redeem(code)
    expect(await response.json()).toEqual({ username: 'admin', project_id: 'sample/bot' })
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect((await queryThreads({ cookie: cookieOf(response) })).status).toBe(200)
    expect(await problem(await redeem(code))).toEqual([403, 'invalid_code', null])
  })

  test('expires after ten minutes', async () => {
    const [early, late] = [service.signInCodes.issue(administrator), service.signInCodes.issue(administrator)]
    service.clock.offsetMs += 9.9 * 60_000
    expect((await redeem(early)).status).toBe(200)
    service.clock.offsetMs += 0.2 * 60_000
    expect((await redeem(late)).status).toBe(403)
  })

  test.each([
    ['nope', 403],
    ['', 403],
    [5, 422],
    [undefined, 422],
  ])('%j is rejected', async (code, status) => {
    expect((await redeem(code)).status).toBe(status)
  })
})
