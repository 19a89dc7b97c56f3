import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineEndpoint } from '../../contract/endpoint'
import { Users } from '../auth/users'
import { loopbackAccess } from '../testing/loopback-access'
import { openSocket } from '../testing/send-raw'
import { serveApp } from '../testing/serve-app'
import { silentLogger } from '../testing/silent-logger'
import { createHttpApp } from './http-app'
import { mountRoutes } from './mount-routes'
import { ResponseBudget } from './response-budget'
import { route } from './route'
import { SignInThrottle } from './sign-in-throttle'

const rejection = expect.objectContaining({ kind: 'too_many_requests', headers: { 'retry-after': '2' } })
const openResponse = () => Object.assign(new EventEmitter(), { closed: false })

test('a user may leave as much unread as remains free for others; what was read or given up frees it', () => {
  const budget = new ResponseBudget({ maxBytes: 100, countedFromBytes: 10 })
  const first = openResponse()
  budget.hold('eve', 40, first)
  expect(() => budget.hold('eve', 30, openResponse())).toThrow(rejection)
  budget.hold('kim', 30, openResponse())
  first.emit('close')
  budget.hold('eve', 30, openResponse())
})

test('small responses always fit, and one whose client has gone takes nothing', () => {
  const budget = new ResponseBudget({ maxBytes: 100, countedFromBytes: 10 })
  budget.hold('eve', 50, openResponse())
  for (let count = 0; count < 100; count += 1) budget.hold('eve', 9, openResponse())
  budget.hold('eve', 50, Object.assign(new EventEmitter(), { closed: true }))
})

test('a user who reads no responses gets 429, others are served, and the user again after the connections end', async () => {
  const app = createHttpApp({ newId: () => 'id', logger: silentLogger, access: loopbackAccess, toHttpError: () => undefined })
  const mebibyte = 1024 * 1024
  const large = defineEndpoint({ path: '/large', request: z.object({}), response: z.string() })
  mountRoutes(app, [route(large, async () => 'x'.repeat(16 * mebibyte))], {
    users: new Users([
      { username: 'eve', password: 'eve', projects: '*' },
      { username: 'kim', password: 'kim', projects: '*' },
    ]),
    signInThrottle: new SignInThrottle(() => 0),
    logger: silentLogger,
    validateResponses: false,
    responseBudget: new ResponseBudget({ maxBytes: 70 * mebibyte }),
  })
  const served = await serveApp({ app })
  const toHeaders = (user: string) => ({
    authorization: `Bearer ${user}`,
    'content-type': 'application/json',
    'accept-encoding': 'identity',
  })
  const post = async (user: string) => {
    const response = await fetch(`${served.url}/large`, { method: 'POST', body: '{}', headers: toHeaders(user) })
    await response.text()
    return response.status
  }
  const unread = await Promise.all([openSocket(served.url), openSocket(served.url)])
  for (const socket of unread) {
    socket.pause()
    const headers = Object.entries(toHeaders('eve')).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`POST /large HTTP/1.1\r\nhost: localhost\r\n${headers.join('')}content-length: 2\r\n\r\n{}`)
  }
  await expect.poll(() => post('eve')).toBe(429)
  expect(await post('kim')).toBe(200)
  for (const socket of unread) socket.destroy()
  await expect.poll(() => post('eve')).toBe(200)
  served.close()
})
