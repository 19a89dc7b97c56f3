import { afterEach, expect, test, vi } from 'vitest'
import { receiveCosts } from '../../contract/received-costs'
import { readQueue } from '../../contract/queues'
import {
  AbortedError,
  type ApiError,
  BusyError,
  ExposedPasswordError,
  ForbiddenError,
  ResponseSchemaError,
  NotFoundError,
  ValidationError,
  StatusError,
  UnauthorizedError,
} from './api-error'
import { fetchJson } from './fetch-json'
import type { Connection } from './connection'
import { endpointQuery } from './endpoint-query'

const connection: Connection = { id: 'a', name: 'a', baseUrl: '', username: 'ann', password: 'pässword', projectId: 'e/p' }

function respondWith(body: string, init: ResponseInit = {}) {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => new Response(body, init))
  vi.stubGlobal('fetch', fetch)
  return fetch
}

const problem = JSON.stringify({ detail: [{ loc: ['body', 'limit'], msg: 'Must be 0 or greater.', type: 'greater_than_equal' }] })

async function fetchError(options: Partial<Connection> = {}, signal?: AbortSignal): Promise<unknown> {
  return fetchJson(receiveCosts, { project_id: 'e/p' }, { connection: { ...connection, ...options }, signal }).catch(
    (error: unknown) => error,
  )
}

afterEach(() => vi.unstubAllGlobals())

test('the parsed body of a successful response is returned', async () => {
  respondWith('{"results":[]}')
  expect(await fetchJson(receiveCosts, { project_id: 'e/p' }, { connection })).toEqual({ results: [] })
})

test('the password is sent in the Authorization header and appears nowhere else', async () => {
  const fetch = respondWith('{"results":[]}')
  await fetchJson(receiveCosts, { project_id: 'e/p' }, { connection })
  const [url, init] = fetch.mock.calls[0] ?? []
  expect(url).toBe('/cost/query')
  expect(new Headers(init?.headers).get('authorization')).toBe('Basic YW5uOnDDpHNzd29yZA==')
  expect(init?.body).toBe('{"project_id":"e/p"}')
  expect(JSON.stringify(endpointQuery(receiveCosts, { project_id: 'e/p' }, connection).queryKey)).not.toContain('pässword')
})

test('without a password the own server gets the session cookie, and the user that the page shows', async () => {
  const fetch = respondWith('{"results":[]}')
  const send = (part: Partial<Connection>) =>
    fetchJson(receiveCosts, { project_id: 'e/p' }, { connection: { ...connection, ...part } })
  await send({ username: 'änn', password: '' })
  await send({ username: 'ann', password: '', baseUrl: 'https://x.test' })
  await send({})
  const sent = fetch.mock.calls.map(([, { credentials, headers }]) => {
    const names = new Headers(headers)
    return [credentials, names.get('spool-session-user'), names.has('authorization')]
  })
  expect(sent).toEqual([
    ['same-origin', '%C3%A4nn', false],
    ['omit', null, true],
    ['omit', null, true],
  ])
})

test('fields are sent in the path and the query where the operation says so', async () => {
  const fetch = respondWith('{}')
  await fetchJson(
    readQueue,
    { queue_id: 'a/b', project_id: 'e/p' },
    { connection: { ...connection, baseUrl: 'https://x.test/api/' } },
  ).catch(() => undefined)
  const [url, init] = fetch.mock.calls[0] ?? []
  expect(url).toBe('https://x.test/api/annotation_queues/a%2Fb?project_id=e%2Fp')
  expect(init?.body).toBeUndefined()
})

test.each([
  [401, UnauthorizedError],
  [403, ForbiddenError],
  [404, NotFoundError],
  [422, ValidationError],
  [429, BusyError],
  [503, BusyError],
  [500, StatusError],
])('status %d has its own error class with the status in its details', async (status, kind) => {
  respondWith(problem, { status })
  const error = await fetchError()
  expect(error).toBeInstanceOf(kind)
  expect((error as ApiError).details).toContain(`status: ${status}`)
})

test('a server is called busy only where it gives no other reason', async () => {
  respondWith('', { status: 503 })
  expect(await fetchError()).toHaveProperty('message', 'The server is too busy to respond.')
  respondWith('{"detail":"disk is full"}', { status: 503 })
  expect(await fetchError()).toHaveProperty('message', 'The server cannot do this now. The server says: disk is full')
})

test('a validation error keeps its problems', async () => {
  respondWith(problem, { status: 422 })
  const error = await fetchError()
  expect(error instanceof ValidationError && error.problems[0]?.loc).toEqual(['body', 'limit'])
})

test.each([400, 422])('a status %d in another form than the contract has the words of the server', async (status) => {
  respondWith('{"reason":"No such project."}', { status })
  const error = await fetchError()
  expect(error instanceof ValidationError && [error.message, error.problems]).toEqual([
    `The server rejected the request (${status}). The server says: No such project.`,
    [],
  ])
})

test('a busy error has the seconds of Retry-After', async () => {
  respondWith('', { status: 429, headers: { 'retry-after': '7' } })
  const error = await fetchError()
  expect(error instanceof BusyError && error.retryAfterSeconds).toBe(7)
})

test.each(['<!doctype html>', '{"results":"none"}', '[]'])('the body %s does not fit the schema', async (body) => {
  respondWith(body)
  expect(await fetchError()).toBeInstanceOf(ResponseSchemaError)
})

test('a cancelled request is not reported as an unreachable server', async () => {
  const controller = new AbortController()
  controller.abort()
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    init.signal?.throwIfAborted()
    return new Response('{}')
  })
  expect(await fetchError({}, controller.signal)).toBeInstanceOf(AbortedError)
})

test.each([
  ['http://example.test', true],
  ['https://example.test', false],
  ['http://localhost:7766', false],
  ['http://127.0.0.1:7766', false],
  ['http://[::1]:7766', false],
  ['http://127.evil.test', true],
])('a password for %s is not sent: %s', async (baseUrl, isBlocked) => {
  const fetch = respondWith('{"results":[]}')
  const error = await fetchError({ baseUrl })
  expect(error instanceof ExposedPasswordError).toBe(isBlocked)
  expect(fetch).toHaveBeenCalledTimes(isBlocked ? 0 : 1)
})
