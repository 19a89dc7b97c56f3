import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'
import { killService } from '../bench/service-process'
import { SpoolService } from '../spool-service'
import { fault } from './fault'

const ann = { username: 'ann', password: 'ann: correct horse', projects: '*' }
const kim = { username: 'kim', password: 'kim: battery staple', projects: ['acme/support'] }

let service: SpoolService
let folder = ''
const start = async () => {
  service = await SpoolService.start({ SPOOL_SAMPLE: 'off', SPOOL_DATA: folder })
}
const writeUsers = (users: readonly (typeof ann | typeof kim)[]) =>
  writeFileSync(join(folder, 'users.json'), JSON.stringify(users), { mode: 0o600 })

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'spool-faults-sessions-'))
  writeUsers([ann, kim])
  await start()
})
test.afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

type Headers = Record<string, string>

/** Sends what a browser sends from a page of the service. */
async function send(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Response> {
  return await fetch(`${service.url}${path}`, {
    method,
    headers: { origin: service.url, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

async function signIn({ username, password }: { username: string; password: string }): Promise<string> {
  const response = await send('POST', '/session', { username, password, is_remembered: true })
  expect(response.status).toBe(200)
  return response.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
}

const readThreads = (cookie: string) => send('POST', '/threads/stream_query', { project_id: 'acme/support' }, { cookie })
const statusFor = async (cookie: string) => (await readThreads(cookie)).status

fault('a page of another site sends forms with the cookie of its visitor', '403, nothing is stored', async () => {
  const cookie = await signIn(ann)
  const file = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nb\r\n--x--\r\n'
  const queue = JSON.stringify({ project_id: 'acme/support', name: 'stolen', scorer_refs: [] })
  for (const origin of ['https://evil.example', 'http://127.0.0.1:1', 'null']) {
    for (const [path, type, body] of [
      ['/file/create', 'multipart/form-data; boundary=x', file],
      ['/annotation_queues', 'text/plain', queue],
      ['/annotation_queues', 'application/json', queue],
      ['/session', 'application/json', JSON.stringify({ ...kim, projects: undefined, is_remembered: true })],
    ] as const) {
      const response = await fetch(`${service.url}${path}`, {
        method: 'POST',
        headers: { cookie, origin, 'content-type': type },
        body,
      })
      expect([response.status, response.headers.get('set-cookie')], `${path} from ${origin}`).toEqual([403, null])
    }
    expect((await send('DELETE', '/sessions', undefined, { cookie, origin })).status).toBe(403)
  }
  const queues = await send('POST', '/annotation_queues/query', { project_id: 'acme/support' }, { cookie })
  expect([queues.status, await queues.text()]).toEqual([200, ''])
})

fault('a program sends a cookie without the Origin that browsers send', '403', async () => {
  const cookie = await signIn(ann)
  const headers = { cookie, 'content-type': 'application/json' }
  const body = JSON.stringify({ project_id: 'acme/support' })
  expect((await fetch(`${service.url}/threads/stream_query`, { method: 'POST', headers, body })).status).toBe(403)
})

fault('a stolen token after its owner signed out, and after a kill -9', '401 for good; other sessions go on', async () => {
  const [stolen, other] = [await signIn(ann), await signIn(ann)]
  expect((await send('DELETE', '/session', undefined, { cookie: stolen })).status).toBe(200)
  expect(await statusFor(stolen)).toBe(401)
  await killService(service)
  await start()
  expect([await statusFor(rename(stolen)), await statusFor(rename(other))]).toEqual([401, 200])
})

fault('a stolen token after its owner signed out everywhere', '401', async () => {
  const [stolen, own] = [await signIn(ann), await signIn(ann)]
  expect((await send('DELETE', '/sessions', undefined, { cookie: own })).status).toBe(200)
  expect([await statusFor(stolen), await statusFor(own)]).toEqual([401, 401])
})

fault('a stolen token after a new password, or without its user', '401 from the next start on', async () => {
  const [annCookie, kimCookie] = [await signIn(ann), await signIn(kim)]
  await service.stop()
  writeUsers([{ ...ann, password: 'another password' }])
  await start()
  expect([await statusFor(rename(annCookie)), await statusFor(rename(kimCookie))]).toEqual([401, 401])
  await service.stop()
  writeUsers([ann, kim])
  await start()
  expect(await statusFor(rename(annCookie))).toBe(401)
})

fault('a stolen sessions.json', 'has no token and no password', async () => {
  const cookie = await signIn(ann)
  const path = join(folder, 'sessions.json')
  const text = readFileSync(path, 'utf8')
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600')
  const name = cookie.split('=', 1)[0] ?? ''
  expect(text).not.toContain(cookie.slice(name.length + 1))
  for (const { password } of [ann, kim]) expect(text).not.toContain(password)
  for (const [token] of text.matchAll(/[\w-]{20,}/g)) expect(await statusFor(`${name}=${token}`)).toBe(401)
})

fault('a damaged sessions.json', 'the service starts; everybody signs in again', async () => {
  const cookie = await signIn(ann)
  await service.stop()
  writeFileSync(join(folder, 'sessions.json'), '{"savedAt": 1, "sess')
  await start()
  expect(await statusFor(rename(cookie))).toBe(401)
  expect(await statusFor(await signIn(ann))).toBe(200)
})

fault('60 guesses of a password at the sign-in form at once', 'none gets in; the right password does', async () => {
  const guess = async (password: string) => {
    const response = await send('POST', '/session', { username: 'ann', password, is_remembered: false })
    expect([401, 429]).toContain(response.status)
    expect([response.headers.get('set-cookie'), response.headers.get('www-authenticate')]).toEqual([null, null])
    expect(await response.text()).not.toContain(password)
  }
  const guesses = Promise.all(Array.from({ length: 60 }, (_, index) => guess(`guess ${index}`)))
  expect(await statusFor(await signIn(kim))).toBe(200)
  await guesses
})

/** The cookie's name has the port, which another start changes. */
function rename(cookie: string): string {
  return cookie.replace(/^spool_session_\d+/, `spool_session_${new URL(service.url).port}`)
}
