import { createServer, request as requestHttp } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { brotliCompressSync, deflateSync, gunzipSync, gzip, gzipSync } from 'node:zlib'
import { getRequestListener } from '@hono/node-server'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineEndpoint, defineStream } from '../../contract/endpoint'
import { ProjectId } from '../../contract/project-id'
import { SignInThrottle } from './sign-in-throttle'
import { createHttpApp } from './http-app'
import { mountRoutes } from './mount-routes'
import { HttpError } from './http-error'
import { rawRoute, publicRoute, route, streamRoute } from './route'
import { Users } from '../auth/users'
import { loopbackAccess } from '../testing/loopback-access'

const echo = defineEndpoint({
  method: 'PUT',
  path: '/echo/{name}',
  request: z.strictObject({ name: z.string(), unit: z.string(), project_id: ProjectId, text: z.string(), count: z.number() }),
  response: z.object({ name: z.string(), unit: z.string(), text: z.string(), count: z.number() }),
  places: { name: 'path', unit: 'query' },
})
const size = defineEndpoint({
  path: '/size',
  request: z.object({ text: z.string() }),
  response: z.object({ length: z.number() }),
})
const read = defineEndpoint({
  method: 'GET',
  path: '/read',
  request: z.strictObject({ project_id: ProjectId }),
  response: z.object({ ok: z.boolean() }),
  places: { project_id: 'query' },
})
const readWithoutCalls = defineEndpoint({ ...read, path: '/read-without-calls' })
const large = defineEndpoint({ method: 'GET', path: '/large', request: z.object({}), response: z.object({ text: z.string() }) })
const greet = defineEndpoint({
  path: '/greet',
  request: z.object({ name: z.string() }),
  response: z.object({ name: z.string() }),
})
const lines = defineStream({ path: '/lines', request: z.object({ kind: z.string() }), response: z.object({ n: z.number() }) })
const wrong = defineEndpoint({ method: 'GET', path: '/wrong', request: z.object({}), response: z.object({ n: z.number() }) })
const fails = defineEndpoint({ path: '/fails', request: z.object({ how: z.string() }), response: z.object({}) })

const seen = { batches: 0, aborted: false, ended: false }
const settledProjects: string[] = []
const logged: Record<string, unknown>[] = []

async function* produceBatches(kind: string, signal: AbortSignal) {
  Object.assign(seen, { batches: 0, aborted: false, ended: false })
  signal.addEventListener('abort', () => (seen.aborted = true))
  try {
    if (kind === 'fails first') throw new Error('secret of the first batch')
    if (kind === 'HttpError first') throw new HttpError('timed_out', { loc: [], msg: 'Too slow.', type: 'timed_out' })
    if (kind === 'empty') return
    yield [{ n: 1 }, { n: 2 }]
    seen.batches += 1
    if (kind === 'stalls') await new Promise((resolve) => signal.addEventListener('abort', resolve))
    if (kind === 'fails later') throw new Error('secret of the second batch')
    if (kind === 'short') {
      yield []
      yield [{ n: 3 }]
      return
    }
    for (;;) {
      if (signal.aborted) throw new Error('aborted')
      seen.batches += 1
      yield Array.from({ length: 1000 }, () => ({ n: Math.random() }))
      await new Promise((resolve) => setImmediate(resolve))
    }
  } finally {
    seen.ended = true
  }
}

const users = new Users([
  { username: 'admin', password: 'pw', projects: '*' },
  { username: 'one', password: 'pw1', projects: ['a/b'] },
])
const logger = pino({ level: 'error' }, { write: (line: string) => logged.push(JSON.parse(line)) })
const app = createHttpApp({
  newId: () => 'request-1',
  logger,
  access: loopbackAccess,
  toHttpError: (error) =>
    error instanceof TypeError
      ? new HttpError('unavailable', { loc: [], msg: 'Later.', type: 'unavailable' }, { 'retry-after': '5' })
      : undefined,
})
mountRoutes(
  app,
  [
    route(echo, async ({ name, unit, text, count }) => ({ name, unit, text, count })),
    route(size, async ({ text }) => ({ length: text.length })),
    route(read, async () => ({ ok: true })),
    route(readWithoutCalls, async () => ({ ok: true }), { readsCalls: false }),
    publicRoute(greet, async ({ name }) => ({ name })),
    publicRoute(large, async () => ({ text: 'x'.repeat(5000) })),
    streamRoute(lines, ({ kind }, { signal }) => produceBatches(kind, signal)),
    // @ts-expect-error does not match the endpoint, to see it rejected
    route(wrong, async () => ({ n: 'one' })),
    route(fails, async ({ how }) => {
      if (how === 'store') throw new TypeError('the store is unavailable')
      if (how === 'nested') throw new HttpError('conflict', { loc: ['body'], msg: 'No.', type: 'conflict' })
      throw new Error('secret in /etc/somewhere')
    }),
    rawRoute(
      { method: 'POST', path: '/bytes', mediaTypes: ['application/x-protobuf'], maxBodyBytes: 1024 },
      async ({ body, contentType }) => ({
        kind: 'bytes',
        bytes: body.join().toReversed(),
        mediaType: contentType,
      }),
    ),
  ],
  {
    users,
    signInThrottle: new SignInThrottle(() => 0),
    settle: async (projectId) => void settledProjects.push(projectId),
    logger,
    validateResponses: true,
  },
)

const listener = getRequestListener(app.fetch)
const server = createServer((request, response) => void listener(request, response))
let base = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a server on a port has an address object
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const authorization = `Basic ${btoa('admin:pw')}`
const json = { authorization, 'content-type': 'application/json' }
const post = (path: string, body: BodyInit, headers: Record<string, string> = json) =>
  app.request(path, { method: 'POST', body, headers })
async function problems(response: Response) {
  const { detail }: { detail: { loc: string[]; msg: string; type: string }[] } = await response.json()
  return { status: response.status, found: detail.map(({ loc, type }) => [loc.join('.'), type]) }
}

test('a handler gets path, query and body as one parsed input, and its value is the JSON response', async () => {
  const response = await app.request('/echo/a%2Fb%20%C3%A9?unit=USD', {
    method: 'PUT',
    headers: json,
    body: JSON.stringify({ project_id: 'a/b', text: 't', count: 3 }),
  })
  expect(await response.json()).toEqual({ name: 'a/b é', unit: 'USD', text: 't', count: 3 })
})

test('a handler runs when the calls of its project can be read, unless it reads none', async () => {
  settledProjects.length = 0
  for (const path of ['/read-without-calls?project_id=acme/none', '/read?project_id=acme/calls']) {
    expect((await app.request(path, { headers: { authorization } })).status).toBe(200)
  }
  expect(settledProjects).toEqual(['acme/calls'])
})

test('a public route accepts 16 KiB, so that clients without credentials cannot fill the memory', async () => {
  const greeting = (length: number) =>
    post('/greet', JSON.stringify({ name: 'x'.repeat(length) }), { 'content-type': 'application/json' })
  expect((await greeting(16_000)).status).toBe(200)
  const tooLarge = await greeting(17_000)
  expect(tooLarge.status).toBe(413)
  expect(await tooLarge.json()).toMatchObject({ detail: [{ loc: ['body'], msg: expect.stringContaining('16 KiB') }] })
})

test('a 422 names every problem with its place', async () => {
  const response = await app.request('/echo/x?unit=USD&unit=EUR', {
    method: 'PUT',
    headers: json,
    body: JSON.stringify({ project_id: 'a', count: '3', more: 1 }),
  })
  expect(await problems(response)).toEqual({
    status: 422,
    found: [
      ['query.unit', 'string_type'],
      ['body.project_id', 'value_error'],
      ['body.text', 'missing'],
      ['body.count', 'float_parsing'],
      ['body.more', 'extra_forbidden'],
    ],
  })
  const query = await app.request('/read?other=1', { headers: json })
  expect(await problems(query)).toEqual({
    status: 422,
    found: [
      ['query.project_id', 'missing'],
      ['query.other', 'extra_forbidden'],
    ],
  })
})

describe('checks run in one order: host, origin, route, credentials, media type, size, content, project', () => {
  const invalid = { method: 'POST', body: '{', headers: { 'content-type': 'text/plain' } }
  test.each([
    ['another host', '/nowhere', { ...invalid, headers: { host: 'evil.example', origin: 'http://evil.example' } }, 421],
    ['another origin', '/nowhere', { ...invalid, headers: { origin: 'http://evil.example' } }, 403],
    ['an unknown route', '/nowhere', invalid, 404],
    ['another method', '/echo/x', invalid, 405],
    ['no credentials', '/size', invalid, 401],
    ['wrong credentials', '/size', { ...invalid, headers: { ...invalid.headers, authorization: 'Basic eDp5' } }, 401],
    ['another media type', '/size', { ...invalid, headers: { ...invalid.headers, authorization } }, 415],
    ['a large body', '/size', { method: 'POST', body: ' '.repeat(33 * 1024 * 1024), headers: json }, 413],
    ['invalid JSON', '/size', { ...invalid, headers: json }, 422],
    ["a project that is not the user's", '/read?project_id=x/y', { headers: { authorization: `Basic ${btoa('one:pw1')}` } }, 403],
    ["the user's project", '/read?project_id=a/b', { headers: { authorization: `Basic ${btoa('one:pw1')}` } }, 200],
  ])('%s', async (_, path, init, status) => {
    const response = await app.request(path, init)
    expect(response.status).toBe(status)
    expect(response.headers.get('cache-control')).toBe('no-store')
    if (status !== 200) expect(Object.keys(await response.json())).toEqual(['detail'])
  })

  test('405 names the allowed methods, 401 the scheme', async () => {
    expect((await app.request('/echo/x', { method: 'POST' })).headers.get('allow')).toBe('PUT')
    expect((await app.request('/read', { method: 'DELETE' })).headers.get('allow')).toBe('GET, HEAD')
    expect((await app.request('/read')).headers.get('www-authenticate')).toBe('Basic realm="spool"')
  })
})

describe('media types', () => {
  const body = JSON.stringify({ text: 'abc' })
  test.each([
    ['application/json', 200],
    ['Application/JSON; charset=utf-8', 200],
    ['application/vnd.weave+json', 200],
    ['application/x-www-form-urlencoded', 415],
    ['text/json', 415],
    ['multipart/form-data; boundary=x', 415],
  ])('%s', async (type, status) => {
    expect((await post('/size', body, { authorization, 'content-type': type })).status).toBe(status)
  })

  test('a body without a media type is JSON, as some clients send it, but not from a web page', async () => {
    const bytes = new TextEncoder().encode(body)
    expect((await post('/size', bytes, { authorization })).status).toBe(200)
    expect((await post('/size', bytes, { authorization, origin: 'http://localhost:5173' })).status).toBe(415)
  })

  test('a raw route gets the decompressed bytes', async () => {
    const response = await post('/bytes', gzipSync(Buffer.from([1, 2, 3])), {
      authorization,
      'content-type': 'application/x-protobuf',
      'content-encoding': 'gzip',
    })
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([3, 2, 1])
    expect((await post('/bytes', '{}')).status).toBe(415)
  })
})

describe('bodies', () => {
  const body = JSON.stringify({ text: 'é'.repeat(1000) })
  const compressions = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }

  test.each(Object.entries(compressions))('%s is decompressed, in memory and over a connection', async (encoding, compress) => {
    const headers = { ...json, 'content-encoding': encoding }
    const init = { method: 'POST', headers, body: new Uint8Array(compress(body)) }
    expect(await (await app.request('/size', init)).json()).toEqual({ length: 1000 })
    expect(await (await fetch(`${base}/size`, init)).json()).toEqual({ length: 1000 })
  })

  test.each(Object.entries(compressions))('truncated or damaged %s is rejected', async (encoding, compress) => {
    const response = await post('/size', new Uint8Array(compress(body).subarray(0, -10)), {
      ...json,
      'content-encoding': encoding,
    })
    expect(await problems(response)).toEqual({ status: 422, found: [['body', 'decompression_error']] })
    const damaged = await post('/size', 'not compressed at all', { ...json, 'content-encoding': encoding })
    expect(await problems(damaged)).toEqual({ status: 422, found: [['body', 'decompression_error']] })
  })

  test('an unknown encoding is rejected', async () => {
    const response = await post('/size', body, { ...json, 'content-encoding': 'zstd' })
    expect(await problems(response)).toEqual({
      status: 415,
      found: [['header.content-encoding', 'unsupported_content_encoding']],
    })
  })

  test('that grows too large by decompression is rejected with little memory', async () => {
    // Not gzipSync: it would block for longer than a kept connection lives, and the next request would meet a closed one.
    const bomb = await promisify(gzip)(Buffer.alloc(256 * 1024 * 1024, ' '), { level: 1 })
    const bytesBefore = process.memoryUsage().arrayBuffers
    let peakBytes = 0
    const sampling = setInterval(() => (peakBytes = Math.max(peakBytes, process.memoryUsage().arrayBuffers)), 1)
    const response = await fetch(`${base}/size`, {
      method: 'POST',
      headers: { ...json, 'content-encoding': 'gzip' },
      body: new Uint8Array(bomb),
    })
    clearInterval(sampling)
    expect(await problems(response)).toEqual({ status: 413, found: [['body', 'body_too_large']] })
    expect(peakBytes - bytesBefore).toBeLessThan(150 * 1024 * 1024)
  })

  test('beyond 32 MiB are rejected, with and without a declared length', async () => {
    const declared = await fetch(`${base}/size`, { method: 'POST', headers: json, body: Buffer.alloc(33 * 1024 * 1024, ' ') })
    expect(declared.status).toBe(413)
    const status = await new Promise((resolve, reject) => {
      const outgoing = requestHttp(`${base}/size`, { method: 'POST', headers: json }, (incoming) => {
        resolve(incoming.statusCode)
        outgoing.destroy()
      })
      outgoing.on('error', reject)
      for (let index = 0; index < 34; index += 1) outgoing.write(Buffer.alloc(1024 * 1024, ' '))
    })
    expect(status).toBe(413)
  })

  test.each([
    ['nothing', ''],
    ['blanks', '   '],
    ['half an object', '{"text":'],
    ['two values', '{} {}'],
    ['invalid UTF-8', new Uint8Array([0x7b, 0xff, 0xfe, 0x7d])],
    ['100,000 levels of lists', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['100,000 levels of objects', '{"text":'.repeat(100_000) + '1' + '}'.repeat(100_000)],
    ['unclosed levels', '['.repeat(1_000_000)],
  ])('%s is rejected as invalid JSON', async (_, sent) => {
    expect(await problems(await post('/size', sent))).toEqual({ status: 422, found: [['body', 'json_invalid']] })
  })

  test('brackets inside strings do not count as nesting', async () => {
    const text = `${'[{'.repeat(1000)}\\"`
    expect(await (await post('/size', JSON.stringify({ text }))).json()).toEqual({ length: text.length })
  })

  test.each([['null'], ['[]'], ['"x"'], ['1']])('%s is rejected, because it is no object', async (sent) => {
    expect(await problems(await post('/size', sent))).toEqual({ status: 422, found: [['body', 'dict_type']] })
  })
})

describe('failures', () => {
  test('an unexpected error is a 500 that names the request id and hides the message, which is logged', async () => {
    logged.length = 0
    const response = await post('/fails', '{"how":"surprise"}')
    const text = await response.text()
    expect(response.status).toBe(500)
    expect(text).toContain('request-1')
    expect(text).not.toContain('secret')
    expect(logged).toEqual([
      expect.objectContaining({ requestId: 'request-1', route: '/fails', status: 500, msg: 'request failed' }),
    ])
  })

  test('errors that toHttpError knows, and HttpErrors, keep their status', async () => {
    const response = await post('/fails', '{"how":"store"}')
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('5')
    expect((await post('/fails', '{"how":"nested"}')).status).toBe(409)
  })

  test('a response that does not match its schema is a 500 in tests', async () => {
    expect((await app.request('/wrong', { headers: json })).status).toBe(500)
  })
})

describe('responses', () => {
  test('have the security headers and a request id of this service, and may be read from loopback origins', async () => {
    for (const path of ['/large', '/fails', '/nowhere']) {
      const { headers } = await app.request(path, {
        headers: { 'x-request-id': 'of-the-client', origin: 'http://localhost:5173' },
      })
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy':
          "default-src 'self'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; " +
          "connect-src 'self' https: http:; img-src 'self' data:; object-src 'none'; base-uri 'none'; " +
          "form-action 'self'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': 'camera=(), geolocation=(), microphone=()',
        'x-request-id': 'request-1',
        'access-control-allow-origin': 'http://localhost:5173',
        'access-control-expose-headers': 'retry-after,x-request-id',
      })
    }
  })

  test('are compressed if the client accepts it', async () => {
    const response = await app.request('/large', { headers: { 'accept-encoding': 'br, gzip' } })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(JSON.parse(gunzipSync(await response.arrayBuffer()).toString())).toEqual({ text: 'x'.repeat(5000) })
    const plain = await app.request('/large', { headers: { 'accept-encoding': 'gzip;q=0' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
  })

  test('to HEAD have no body', async () => {
    const response = await fetch(`${base}/large`, { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })

  test('to a preflight request need no credentials', async () => {
    const response = await app.request('/size', {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:5173', 'access-control-request-method': 'POST' },
    })
    expect(response.status).toBe(204)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': 'http://localhost:5173',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'authorization,content-type,idempotency-key,last-event-id,wandb-api-key,project_id',
      'access-control-max-age': '600',
    })
  })

  test('to OPTIONS name the methods, and can be read by other origins, those with an error too', async () => {
    const origin = 'http://localhost:5173'
    const plain = await app.request('/size', { method: 'OPTIONS', headers: { origin } })
    const preflight = { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } }
    const unknown = await app.request('/nowhere', preflight)
    expect([plain.status, plain.headers.get('allow'), unknown.status]).toEqual([204, 'POST', 404])
    for (const response of [plain, unknown]) {
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'access-control-allow-origin': 'http://localhost:5173',
        'access-control-expose-headers': 'retry-after,x-request-id',
      })
    }
  })
})

describe('lines', () => {
  const open = (kind: string, headers: Record<string, string> = json, signal?: AbortSignal) =>
    fetch(`${base}/lines`, { method: 'POST', headers, body: JSON.stringify({ kind }), signal: signal ?? null })

  test('are one compact object each, compressed or not', async () => {
    for (const response of [
      await post('/lines', '{"kind":"short"}'),
      await open('short'),
      await open('short', { ...json, 'accept-encoding': 'identity' }),
    ]) {
      expect(response.headers.get('content-type')).toBe('application/jsonl')
      expect(await response.text()).toBe('{"n":1}\n{"n":2}\n{"n":3}\n')
    }
  })

  test('of an empty result are an empty body', async () => {
    expect(await (await open('empty')).text()).toBe('')
  })

  test('become an error response if the first batch fails', async () => {
    const failed = await open('fails first')
    expect([failed.status, (await failed.text()).includes('secret')]).toEqual([500, false])
    expect((await open('HttpError first')).status).toBe(504)
  })

  test.each([['gzip'], ['identity']])('are interrupted if a later batch fails (%s)', async (encoding) => {
    const response = await open('fails later', { ...json, 'accept-encoding': encoding })
    expect(response.status).toBe(200)
    const received: Buffer[] = []
    const reading = (async () => {
      const reader = response.body?.getReader()
      for (;;) {
        const part = await reader?.read()
        if (!part || part.done) return 'a clean end'
        received.push(Buffer.from(part.value))
      }
    })()
    await expect(reading).rejects.toThrow()
    expect(Buffer.concat(received).toString()).not.toContain('secret')
  })

  test.each([['gzip'], ['identity']])('wait for a slow client, and stop when it disconnects (%s)', async (encoding) => {
    const client = new AbortController()
    const response = await open('endless', { ...json, 'accept-encoding': encoding }, client.signal)
    const reader = response.body?.getReader()
    await reader?.read()
    // The source runs until all buffers are full, then it must stop.
    await expect
      .poll(
        async () => {
          const before = seen.batches
          await new Promise((resolve) => setTimeout(resolve, 100))
          return seen.batches - before
        },
        { timeout: 10_000 },
      )
      .toBe(0)
    expect(seen.aborted).toBe(false)
    client.abort()
    await expect.poll(() => seen).toEqual(expect.objectContaining({ aborted: true, ended: true }))
  })

  test.each([['gzip'], ['identity']])('are sent as soon as they are produced (%s)', async (encoding) => {
    const response = await open('stalls', { ...json, 'accept-encoding': encoding })
    const reader = response.body?.getReader()
    const first = await reader?.read()
    expect(new TextDecoder().decode(first?.value)).toBe('{"n":1}\n{"n":2}\n')
    await reader?.cancel()
    await expect.poll(() => seen).toEqual(expect.objectContaining({ aborted: true, ended: true }))
  })
})
