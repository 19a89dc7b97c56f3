import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineEndpoint } from '../../contract/endpoint'
import { Users } from '../auth/users'
import { createLogger, type LogLevel } from '../create-logger'
import { createHttpApp } from './http-app'
import { HttpError } from './http-error'
import { mountRoutes } from './mount-routes'
import { route } from './route'
import { SignInThrottle } from './sign-in-throttle'
import { loopbackAccess } from '../testing/loopback-access'

const readQueue = defineEndpoint({
  method: 'GET',
  path: '/queues/{queue_id}',
  request: z.object({ queue_id: z.string() }),
  response: z.object({ name: z.string() }),
  places: { queue_id: 'path' },
})
const createQueue = defineEndpoint({ path: '/queues', request: z.strictObject({ name: z.string() }), response: z.object({}) })

function createLoggedApp(level: LogLevel = 'debug') {
  const lines: string[] = []
  const write = (line: string) => {
    // At level debug the texts of an error have a line of their own.
    if (!line.includes('"texts":')) lines.push(line)
  }
  const logger = createLogger({ level, isTerminal: false, destination: { write } })
  const app = createHttpApp({ newId: () => 'id-1', logger, access: loopbackAccess, toHttpError: () => undefined })
  const routes = [
    route(readQueue, async () => ({ name: 'Slow answers' })),
    route(defineEndpoint({ path: '/busy', request: z.object({}), response: z.object({}) }), async () => {
      throw new HttpError('unavailable', { loc: [], msg: 'Try again.', type: 'busy' })
    }),
    route(createQueue, async ({ name }) => {
      throw Object.assign(new Error(`cannot store ${name}`), { headers: { authorization: 'Bearer key-secret' }, body: name })
    }),
  ]
  const users = new Users([{ username: 'kim', password: 'key-secret', projects: '*' }])
  mountRoutes(app, routes, { users, signInThrottle: new SignInThrottle(() => 0), logger, validateResponses: true })
  return { app, lines, entries: () => lines.map((line): Record<string, unknown> => JSON.parse(line)) }
}
const headers = { authorization: 'Bearer key-secret', 'content-type': 'application/json' }

test('a request is one line with the route, not the address', async () => {
  const { app, entries } = createLoggedApp()
  await app.request('/queues/0199?project_id=a/b', { headers })
  expect(entries()).toEqual([
    expect.objectContaining({
      level: 20,
      msg: 'request',
      method: 'GET',
      route: '/queues/:queue_id',
      status: 200,
      ms: expect.any(Number),
      requestId: 'id-1',
      user: 'kim',
    }),
  ])
})

test('a request that the service was too busy for is logged at warn: under load there may be many', async () => {
  const { app, entries } = createLoggedApp()
  await app.request('/busy', { method: 'POST', headers, body: '{}' })
  expect(entries()).toEqual([expect.objectContaining({ level: 40, status: 503, problems: ['busy'] })])
})

test("a client's mistake is logged at info with the types of its problems, a failure at error with its stack", async () => {
  const { app, entries } = createLoggedApp()
  const post = (body: string) => app.request('/queues', { method: 'POST', headers, body })
  await post('{"colour":"red"}')
  await app.request('/queues', { method: 'PATCH' })
  await app.request('/queues/0199')
  await app.request('/nowhere/0199?x=1')
  await app.request('/prefix/queues')
  await post('{"name":"n"}')
  expect(entries()).toMatchObject([
    { level: 30, route: '/queues', status: 422, user: 'kim', problems: ['missing', 'extra_forbidden'], msg: 'request failed' },
    { level: 30, route: '/queues', status: 405, problems: ['method_not_allowed'] },
    { level: 30, route: '/queues/:queue_id', status: 401, problems: ['missing'] },
    { level: 30, path: '/*/*', status: 404 },
    { level: 30, path: '/*/queues', status: 404 },
    { level: 50, route: '/queues', status: 500, err: { type: 'Error', stack: expect.stringContaining('access-log') } },
  ])
})

test.each([
  ['debug', [200, 404, 500]],
  ['info', [404, 500]],
  ['warn', [500]],
  ['silent', []],
] as const)('level %s logs the statuses %j', async (level, statuses) => {
  const { app, entries } = createLoggedApp(level)
  await app.request('/queues/0199', { headers })
  await app.request('/nowhere')
  await app.request('/queues', { method: 'POST', headers, body: '{"name":"n"}' })
  expect(entries().map(({ status }) => status)).toEqual(statuses)
})

test('a request whose client has disconnected is no failure of the service', async () => {
  const { app, entries } = createLoggedApp()
  const controller = new AbortController()
  controller.abort()
  await app.request('/queues', { method: 'POST', headers, body: '{"name":"n"}', signal: controller.signal })
  expect(entries()).toMatchObject([{ level: 20, status: 500 }])
})

test('no line holds credentials, cookies, bodies or query strings', async () => {
  const { app, lines } = createLoggedApp()
  const secret = { cookie: 'session=cookie-secret', 'x-api-key': 'header-secret' }
  const basic = `Basic ${btoa('kim:key-secret')}`
  const wrong = `Basic ${btoa('kim:wrong-secret')}`
  for (const authorization of [basic, wrong, 'Bearer key-secret', 'Bearer wrong-secret', 'Digest wrong-secret']) {
    const init = { headers: { ...headers, ...secret, authorization } }
    await app.request('/queues/0199?code=query-secret', init)
    await app.request('/nowhere?code=query-secret', init)
    for (const body of ['{"name":"body-secret"}', '{"password":"body-secret"}', '{"body-secret":1}', 'body-secret']) {
      await app.request('/queues?password=query-secret', { ...init, method: 'POST', body })
    }
  }
  await app.request('/queues/0199', { headers: { 'wandb-api-key': 'wrong-secret' } })
  expect(lines).toHaveLength(31)
  const encoded = [basic, wrong].map((text) => text.slice('Basic '.length))
  for (const line of lines) for (const text of ['secret', ...encoded]) expect(line).not.toContain(text)
})
