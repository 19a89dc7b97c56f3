import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { createHttpApp } from './http-app'
import { isOwnOrigin } from './origin-check'

const app = createHttpApp({
  newId: () => 'id',
  logger: pino({ level: 'silent' }),
  toHttpError: () => undefined,
  access: { host: '0.0.0.0', allowedHosts: [], allowedOrigins: ['https://tools.example'] },
})
app.all('/things', (c) => c.json({ isOwn: isOwnOrigin(c) }, 200, { vary: 'accept-encoding' }))

const send = (headers: Record<string, string>, method = 'POST') =>
  app.request('/things', { method, headers: { host: 'spool.example', ...headers } })

test("a page of another site can neither change something nor read; the service's own page can do both", async () => {
  const foreign = await send({ origin: 'https://evil.example' })
  expect(foreign.status).toBe(403)
  expect(await foreign.json()).toEqual({
    detail: [
      {
        loc: ['header', 'origin'],
        msg: 'Requests from https://evil.example are refused. Pages that may call this service are listed in SPOOL_ORIGINS.',
        type: 'foreign_origin',
      },
    ],
  })
  const read = await send({ origin: 'https://evil.example' }, 'GET')
  expect(read.headers.get('access-control-allow-origin')).toBeNull()
  const own = await send({ origin: 'https://spool.example' })
  expect([own.status, await own.json()]).toEqual([200, { isOwn: true }])
})

describe('a request that could change something', () => {
  test.each<[string, Record<string, string>, number, boolean]>([
    ['no browser', {}, 200, true],
    ['the own page behind TLS', { origin: 'https://spool.example' }, 200, true],
    ['the own page', { origin: 'http://spool.example' }, 200, true],
    ['the own page with the default port', { origin: 'https://spool.example', host: 'spool.example:443' }, 200, true],
    [
      'the own page behind a proxy that changes Host',
      { origin: 'https://x.example', 'sec-fetch-site': 'same-origin' },
      200,
      true,
    ],
    ['a loopback page', { origin: 'http://localhost:5173' }, 200, false],
    ['a loopback address', { origin: 'http://127.0.0.1:7766', 'sec-fetch-site': 'cross-site' }, 200, false],
    ['a page of SPOOL_ORIGINS', { origin: 'https://tools.example', 'sec-fetch-site': 'cross-site' }, 200, false],
    ['another scheme of SPOOL_ORIGINS', { origin: 'http://tools.example' }, 403, false],
    ['another port of the own host', { origin: 'https://spool.example:8443' }, 403, false],
    ['a subdomain', { origin: 'https://evil.spool.example' }, 403, false],
    ['a name that begins like the own', { origin: 'https://spool.example.evil.example' }, 403, false],
    ['a name that begins like loopback', { origin: 'http://localhost.evil.example' }, 403, false],
    ['a sandboxed frame', { origin: 'null' }, 403, false],
    ['a sandboxed frame that claims to be own', { origin: 'null', 'sec-fetch-site': 'same-origin' }, 403, false],
    ['a file', { origin: 'file://' }, 403, false],
    ['an extension', { origin: 'chrome-extension://abc' }, 403, false],
    ['no origin at all', { origin: 'x y' }, 403, false],
    ['another site without Origin', { 'sec-fetch-site': 'cross-site' }, 403, false],
    ['a sibling without Origin', { 'sec-fetch-site': 'same-site' }, 403, false],
  ])('from %s', async (_, headers, status, isOwn) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'QUERY']) {
      for (const type of ['multipart/form-data; boundary=x', 'text/plain', 'application/json', undefined]) {
        expect((await send({ ...headers, ...(type && { 'content-type': type }) }, method)).status).toBe(status)
      }
    }
    expect(await (await send(headers, 'GET')).json()).toEqual({ isOwn })
  })
})

describe('CORS', () => {
  test('allowed origins may read, without cookies; caches keep origins apart', async () => {
    for (const origin of ['https://tools.example', 'http://localhost:5173', 'http://[::1]:80', 'https://spool.example']) {
      const { headers } = await send({ origin }, 'GET')
      expect(Object.fromEntries(headers)).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'retry-after,x-request-id',
        vary: 'accept-encoding, origin',
      })
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  test('without an Origin, or with a foreign one, no origin is named', async () => {
    for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'null' }]) {
      const response = await send(headers, 'GET')
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
      expect(response.headers.get('vary')).toBe('accept-encoding, origin')
    }
  })
})
