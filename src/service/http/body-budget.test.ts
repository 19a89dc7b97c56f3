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

test('bodies are accepted up to the budget, rejected with 429 beyond it, and accepted again after a release', () => {
  const budget = new BodyBudget(100 * mebibyte)
  const [first, second, third] = [budget.openLease(), budget.openLease(), budget.openLease()]
  first.reserve(32 * mebibyte)
  second.reserve(32 * mebibyte)
  expect(() => third.reserve(32 * mebibyte)).toThrow(rejection)
  first.release()
  third.reserve(32 * mebibyte)
  expect(() => first.reserve(32 * mebibyte)).toThrow(rejection)
})

test('small bodies are still accepted when large ones are not', () => {
  const budget = new BodyBudget(100 * mebibyte)
  budget.openLease().reserve(75 * mebibyte)
  expect(() => budget.openLease().reserve(2 * mebibyte)).toThrow(rejection)
  for (let count = 0; count < 25; count += 1) budget.openLease().reserve(mebibyte)
  expect(() => budget.openLease().reserve(1)).toThrow(rejection)
})

test('a body that arrives in pieces counts with its size so far', () => {
  const budget = new BodyBudget(100 * mebibyte)
  budget.openLease().reserve(74 * mebibyte)
  const lease = budget.openLease()
  lease.reserve(mebibyte)
  expect(() => lease.reserve(mebibyte)).toThrow(rejection)
  lease.release()
  budget.openLease().reserve(mebibyte)
})

test('the only body is accepted, whatever its size', () => {
  const budget = new BodyBudget(1)
  const lease = budget.openLease()
  lease.reserve(mebibyte)
  lease.reserve(32 * mebibyte)
  expect(() => budget.openLease().reserve(1)).toThrow(rejection)
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
    bodyBudget: new BodyBudget(mebibyte),
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
