import { pino } from 'pino'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineEndpoint } from '../../contract/endpoint'
import { BodyBudget } from './body-budget'
import { SignInThrottle } from './sign-in-throttle'
import { createHttpApp } from './http-app'
import { mountRoutes } from './mount-routes'
import { route } from './route'
import { Users } from '../auth/users'
import { loopbackAccess } from '../testing/loopback-access'

const mebibyte = 1024 * 1024
const rejection = expect.objectContaining({ kind: 'too_many_requests', headers: { 'retry-after': '1' } })

test('an owner may hold as much as remains free for others; beyond that it is 429, until something is released', () => {
  const budget = new BodyBudget({ largeBytes: 100 * mebibyte })
  const [first, second] = [budget.openLease('kim'), budget.openLease('kim')]
  first.reserve(32 * mebibyte)
  expect(() => second.reserve(32 * mebibyte)).toThrow(rejection)
  second.reserve(18 * mebibyte)
  budget.openLease('lee').reserve(25 * mebibyte)
  first.release()
  budget.openLease('kim').reserve(15 * mebibyte)
})

test('the next user always finds memory, however many users hold theirs', () => {
  const budget = new BodyBudget({ largeBytes: 128 * mebibyte })
  for (let user = 0; user < 20; user += 1) {
    const take = () => {
      for (;;) budget.openLease(`user ${user}`).reserve(2 * mebibyte)
    }
    if (user < 5) expect(take).toThrow(rejection)
    budget.openLease(`user ${user}`).reserve(mebibyte)
  }
})

test('small bodies of a user are still accepted when large ones are not', () => {
  const budget = new BodyBudget({ largeBytes: 40 * mebibyte, smallBytes: 20 * mebibyte })
  const fill = (bytes: number) => {
    let count = 0
    for (; count < 1000; count += 1) budget.openLease('kim').reserve(bytes)
    return count
  }
  expect(() => fill(2 * mebibyte)).toThrow(rejection)
  for (let count = 0; count < 10; count += 1) budget.openLease('kim').reserve(mebibyte)
  expect(() => fill(1)).toThrow(rejection)
})

test('a body that arrives in pieces counts with its size so far, and moves to the large ones as it grows', () => {
  const budget = new BodyBudget({ largeBytes: 10 * mebibyte, smallBytes: 2 * mebibyte })
  const growing = budget.openLease('kim')
  for (let count = 0; count < 5; count += 1) growing.reserve(mebibyte)
  expect(() => growing.reserve(1)).toThrow(rejection)
  budget.openLease('kim').reserve(mebibyte)
  growing.release()
  growing.release()
  const next = budget.openLease('kim')
  for (let count = 0; count < 5; count += 1) next.reserve(mebibyte)
})

test('bodies without credentials take nothing from users', () => {
  const budget = new BodyBudget({ largeBytes: mebibyte, smallBytes: mebibyte, anonymousBytes: 100 })
  budget.openAnonymousLease('192.0.2.1').reserve(50)
  expect(() => budget.openAnonymousLease('192.0.2.1').reserve(1)).toThrow(rejection)
  budget.openAnonymousLease('192.0.2.2').reserve(25)
  budget.openLease('192.0.2.1').reserve(mebibyte / 2)
})

test('a request beyond the budget gets 429 with Retry-After, and succeeds once the other has its response', async () => {
  const logger = pino({ level: 'silent' })
  const app = createHttpApp({ newId: () => 'id', logger, access: loopbackAccess, toHttpError: () => undefined })
  const slow = defineEndpoint({ path: '/slow', request: z.object({ text: z.string() }), response: z.object({}) })
  let finish = () => {}
  let onStarted = () => {}
  const started = new Promise<void>((resolve) => (onStarted = resolve))
  const finished = new Promise<void>((resolve) => (finish = resolve))
  const handle = async () => {
    onStarted()
    await finished
    return {}
  }
  mountRoutes(app, [route(slow, handle)], {
    users: new Users([{ username: 'admin', password: 'pw', projects: '*' }]),
    signInThrottle: new SignInThrottle(() => 0),
    logger,
    validateResponses: true,
    bodyBudget: new BodyBudget({ largeBytes: 1.5 * mebibyte, smallBytes: mebibyte }),
  })
  const body = JSON.stringify({ text: 'x'.repeat(600_000) })
  const headers = { authorization: 'Bearer pw', 'content-type': 'application/json', 'content-length': String(body.length) }
  const post = async () => app.request('/slow', { method: 'POST', body, headers })
  const first = post()
  await started
  const second = await post()
  expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1'])
  expect(await second.json()).toMatchObject({ detail: [{ loc: ['body'], type: 'overloaded' }] })
  finish()
  expect((await first).status).toBe(200)
  expect((await post()).status).toBe(200)
})
