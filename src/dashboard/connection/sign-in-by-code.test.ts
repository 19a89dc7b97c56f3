// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createConnectionStore } from './connection-store'
import { signInByCode } from './sign-in-by-code'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})
afterEach(() => vi.unstubAllGlobals())

function respondWith(status: number, body: unknown, headers: Record<string, string> = {}) {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => Response.json(body, { status, headers }))
  vi.stubGlobal('fetch', fetch)
  return fetch
}

test('a valid code signs in', async () => {
  const fetch = respondWith(200, { username: 'ann', project_id: null })
  const store = createConnectionStore()
  expect(await signInByCode('abc', store)).toBe(true)
  expect(fetch.mock.calls[0]?.[0]).toBe('/session/redeem')
  // The cookie of the response is stored only with this.
  expect(fetch.mock.calls[0]?.[1].credentials).toBe('same-origin')
  expect(new Headers(fetch.mock.calls[0]?.[1].headers).has('authorization')).toBe(false)
  expect(store.getState()).toMatchObject({
    current: { username: 'ann', password: '', projectId: 'sample/support-bot' },
    isRedeeming: false,
    note: undefined,
  })
})

test('a second link for the same user updates the existing connection', async () => {
  respondWith(200, { username: 'ann', project_id: 'acme/support' })
  const store = createConnectionStore()
  await signInByCode('abc', store)
  await signInByCode('def', store)
  expect(store.getState().connections).toHaveLength(1)
  expect(store.getState().current?.projectId).toBe('acme/support')
})

test('a used code leaves a note on the sign-in form', async () => {
  respondWith(404, { detail: [{ loc: ['body', 'code'], msg: 'Unknown code.', type: 'not_found' }] })
  const store = createConnectionStore()
  expect(await signInByCode('abc', store)).toBe(false)
  expect(store.getState()).toMatchObject({ current: undefined, note: { title: 'This sign-in link does not work any more' } })
})

test.each([
  [{ 'retry-after': '10' }, 'Open the link again in 10 s, or sign in below.'],
  [{}, 'Open the link again later, or sign in below.'],
])('after too many attempts the note does not call the link used: %o', async (headers, text) => {
  respondWith(429, { detail: [{ loc: [], msg: 'Too many failed sign-ins.', type: 'too_many_failures' }] }, headers)
  const store = createConnectionStore()
  expect(await signInByCode('abc', store)).toBe(false)
  expect(store.getState().note).toEqual({ tone: 'warn', title: 'Too many attempts to sign in', text })
})

test('an unreachable server is not reported as a used code', async () => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => Promise.reject(new TypeError('Failed to fetch'))),
  )
  const store = createConnectionStore()
  expect(await signInByCode('abc', store)).toBe(false)
  expect(store.getState().note?.title).toBe('The sign-in link could not be used')
})
