import { afterEach, expect, test, vi } from 'vitest'
import { queryCosts } from '../../contract/costs'
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

function answerWith(body: string, init: ResponseInit = {}) {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => new Response(body, init))
  vi.stubGlobal('fetch', fetch)
  return fetch
}

const problem = JSON.stringify({ detail: [{ loc: ['body', 'limit'], msg: 'Must be 0 or greater.', type: 'greater_than_equal' }] })

async function errorOf(options: Partial<Connection> = {}, signal?: AbortSignal): Promise<unknown> {
  return fetchJson(queryCosts, { project_id: 'e/p' }, { connection: { ...connection, ...options }, signal }).catch(
    (error: unknown) => error,
  )
}

afterEach(() => vi.unstubAllGlobals())

test('the password travels in the Authorization header and nowhere else', async () => {
  const fetch = answerWith('{"results":[]}')
  await fetchJson(queryCosts, { project_id: 'e/p' }, { connection })
  const [url, init] = fetch.mock.calls[0] ?? []
  expect(url).toBe('/cost/query')
  expect(new Headers(init?.headers).get('authorization')).toBe('Basic YW5uOnDDpHNzd29yZA==')
  expect(init?.body).toBe('{"project_id":"e/p"}')
  expect(JSON.stringify(endpointQuery(queryCosts, { project_id: 'e/p' }, connection).queryKey)).not.toContain('pässword')
})

test('fields go where the operation says: path, query', async () => {
  const fetch = answerWith('{}')
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
])('status %d has its own error, with what the server said in the details', async (status, kind) => {
  answerWith(problem, { status })
  const error = await errorOf()
  expect(error).toBeInstanceOf(kind)
  expect((error as ApiError).details).toContain(`status: ${status}`)
})

test('a refusal keeps its problems', async () => {
  answerWith(problem, { status: 422 })
  const error = await errorOf()
  expect(error instanceof ValidationError && error.problems[0]?.loc).toEqual(['body', 'limit'])
})

test('a busy server says when to come back', async () => {
  answerWith('', { status: 429, headers: { 'retry-after': '7' } })
  const error = await errorOf()
  expect(error instanceof BusyError && error.retryAfterSeconds).toBe(7)
})

test.each(['<!doctype html>', '{"results":[{"effective_date":"yesterday"}]}', '[]'])('%s is a misfit', async (body) => {
  answerWith(body)
  expect(await errorOf()).toBeInstanceOf(ResponseSchemaError)
})

test('giving up is told apart from an unreachable server', async () => {
  const controller = new AbortController()
  controller.abort()
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    init.signal?.throwIfAborted()
    return new Response('{}')
  })
  expect(await errorOf({}, controller.signal)).toBeInstanceOf(AbortedError)
})

test.each([
  ['http://example.test', true],
  ['https://example.test', false],
  ['http://localhost:7766', false],
  ['http://127.0.0.1:7766', false],
  ['http://[::1]:7766', false],
  ['http://127.evil.test', true],
])('a password for %s is held back: %s', async (baseUrl, isHeldBack) => {
  const fetch = answerWith('{"results":[]}')
  const error = await errorOf({ baseUrl })
  expect(error instanceof ExposedPasswordError).toBe(isHeldBack)
  expect(fetch).toHaveBeenCalledTimes(isHeldBack ? 0 : 1)
})
