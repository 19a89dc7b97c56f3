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

const mebibyte = 1024 * 1024
const refused = expect.objectContaining({ kind: 'too_many_requests', headers: { 'retry-after': '1' } })

test('large bodies are taken while there is room, refused beyond, and taken again when others have gone', () => {
  const budget = new BodyBudget(100 * mebibyte)
  const [first, second, third] = [budget.openLease(), budget.openLease(), budget.openLease()]
  first.reserve(32 * mebibyte)
  second.reserve(32 * mebibyte)
  expect(() => third.reserve(32 * mebibyte)).toThrow(refused)
  first.release()
  third.reserve(32 * mebibyte)
  expect(() => first.reserve(32 * mebibyte)).toThrow(refused)
})

test('small ones still fit where large ones do not', () => {
  const budget = new BodyBudget(100 * mebibyte)
  budget.openLease().reserve(75 * mebibyte)
  expect(() => budget.openLease().reserve(2 * mebibyte)).toThrow(refused)
  for (let count = 0; count < 25; count += 1) budget.openLease().reserve(mebibyte)
  expect(() => budget.openLease().reserve(1)).toThrow(refused)
})

test('a body that arrives in pieces is judged by what it has come to', () => {
  const budget = new BodyBudget(100 * mebibyte)
  budget.openLease().reserve(74 * mebibyte)
  const hold = budget.openLease()
  hold.reserve(mebibyte)
  expect(() => hold.reserve(mebibyte)).toThrow(refused)
  hold.release()
  budget.openLease().reserve(mebibyte)
})

test('one body fits an empty budget, whatever its size', () => {
  const budget = new BodyBudget(1)
  const hold = budget.openLease()
  hold.reserve(mebibyte)
  hold.reserve(32 * mebibyte)
  expect(() => budget.openLease().reserve(1)).toThrow(refused)
})

test('a request that finds no room is answered 429 with when to come again, and taken once the other is answered', async () => {
  const logger = pino({ level: 'silent' })
  const app = createHttpApp({ newId: () => 'id', logger, toHttpError: () => undefined })
  const slow = defineEndpoint({ path: '/slow', request: z.object({ text: z.string() }), response: z.object({}) })
  let finish = () => {}
  let hasBegun = () => {}
  const begun = new Promise<void>((resolve) => (hasBegun = resolve))
  const finished = new Promise<void>((resolve) => (finish = resolve))
  const answer = async () => {
    hasBegun()
    await finished
    return {}
  }
  mountRoutes(app, [route(slow, answer)], {
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
  await begun
  const second = await post()
  expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1'])
  expect(await second.json()).toMatchObject({ detail: [{ loc: ['body'], type: 'overloaded' }] })
  finish()
  expect((await first).status).toBe(200)
  expect((await post()).status).toBe(200)
})
