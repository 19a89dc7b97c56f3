import type { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { pino } from 'pino'
import type { Access } from './host-check'
import { createHttpApp } from './http-app'
import type { HttpEnv } from './http-env'

function createServed(access: Partial<Access> = {}) {
  const app = createHttpApp({
    newId: () => 'id',
    logger: pino({ level: 'silent' }),
    toHttpError: () => undefined,
    access: { host: '127.0.0.1', allowedHosts: [], allowedOrigins: [], ...access },
  })
  app.get('/projects', (c) => c.json({ projects: [] }))
  app.get('/health', (c) => c.json({ status: 'ok' }))
  return app
}

async function statusFor(app: Hono<HttpEnv>, host: string | undefined, path = '/projects'): Promise<number> {
  return (await app.request(path, host === undefined ? {} : { headers: { host } })).status
}

test('a service on loopback refuses the name of another site, and says how to allow one', async () => {
  const response = await createServed().request('/projects', { headers: { host: 'evil.example:7766' } })
  expect(response.status).toBe(421)
  expect(await response.json()).toEqual({
    detail: [
      {
        loc: ['header', 'host'],
        msg: "This service is not called 'evil.example'. If it should be, start it with SPOOL_HOSTS=evil.example.",
        type: 'wrong_host',
      },
    ],
  })
})

describe('on loopback', () => {
  test.each([
    'localhost',
    'LOCALHOST:7766',
    'localhost.:7766',
    'spool.localhost:7766',
    '127.0.0.1:7766',
    '127.8.9.10',
    '[::1]:7766',
    undefined,
    '',
  ])('%j is accepted', async (host) => {
    expect(await statusFor(createServed(), host)).toBe(200)
    expect(await statusFor(createServed({ host: '::1' }), host)).toBe(200)
  })

  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io', '10.0.0.1', 'spool', '[::2]', '0.0.0.0'])(
    '%j is refused with 421',
    async (host) => {
      expect(await statusFor(createServed(), host)).toBe(421)
    },
  )

  test('SPOOL_HOSTS adds names, with a port or with subdomains', async () => {
    const app = createServed({ allowedHosts: ['spool.example', 'other.example:8080', '.internal.example'] })
    for (const host of ['spool.example', 'Spool.Example:443', 'other.example:8080', 'a.internal.example', 'localhost']) {
      expect(await statusFor(app, host), host).toBe(200)
    }
    for (const host of ['a.spool.example', 'other.example', 'other.example:80', 'internal.example', 'xinternal.example']) {
      expect(await statusFor(app, host), host).toBe(421)
    }
  })
})

test('on a public address every name is accepted, but with SPOOL_HOSTS only these, addresses and loopback', async () => {
  const open = createServed({ host: '0.0.0.0' })
  for (const host of ['spool.example', '10.0.0.1:7766', '[fd00::1]:7766']) expect(await statusFor(open, host)).toBe(200)
  const named = createServed({ host: '0.0.0.0', allowedHosts: ['spool.example'] })
  for (const host of ['spool.example', '10.0.0.1:7766', '[fd00::1]:7766', 'localhost']) {
    expect(await statusFor(named, host)).toBe(200)
  }
  expect(await statusFor(named, 'evil.example')).toBe(421)
})

test('a health check may use any name', async () => {
  expect(await statusFor(createServed(), '10.2.3.4:8080', '/health')).toBe(200)
  expect(await statusFor(createServed(), 'any.name', '/health')).toBe(200)
})

test.each(['a b', 'user@localhost', 'localhost/x', 'localhost:x', 'localhost:123456', '[::1', 'a\\b'])(
  'a Host of %j is no host',
  async (host) => {
    expect(await statusFor(createServed(), host)).toBe(400)
  },
)
