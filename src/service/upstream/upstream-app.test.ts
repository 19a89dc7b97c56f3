import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { getRequestListener } from '@hono/node-server'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administrator, basic, parseJsonLines, openTestApp, type TestApp } from '../testing/test-app'
import { createUpstreamApp } from './upstream-app'

const servers: Server[] = []
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a server on a port has an address object
}
function serveApp(fetchOf: Parameters<typeof getRequestListener>[0]) {
  const listener = getRequestListener(fetchOf, { overrideGlobalObjects: false })
  return serve((request, response) => void listener(request, response))
}
const serveUpstreamApp = (upstreamUrl: string) =>
  serveApp(createUpstreamApp({ upstreamUrl, newId: () => 'id', logger: pino({ level: 'silent' }) }).fetch)

let real: TestApp
let front = ''
beforeAll(async () => {
  real = await openTestApp()
  front = await serveUpstreamApp(await serveApp((request) => real.app.fetch(request)))
})
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  await real.close()
})

const send = (path: string, init: RequestInit = {}) => fetch(`${front}${path}`, init)
const headers = { authorization: basic(administrator), 'content-type': 'application/json' }
const post = (path: string, body: unknown, more = {}) =>
  send(path, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) })

describe('with a real service as upstream', () => {
  test('forwards operations with the credentials of the client', async () => {
    const created = await post(
      '/annotation_queues',
      { project_id: 'a/b', name: 'n', scorer_refs: [] },
      { 'idempotency-key': 'k' },
    )
    const { id }: { id: string } = await created.json()
    const again = await post('/annotation_queues', { project_id: 'a/b', name: 'n', scorer_refs: [] }, { 'idempotency-key': 'k' })
    expect(await again.json()).toEqual({ id })
    const lines = await post('/annotation_queues/query', { project_id: 'a/b' })
    expect([lines.headers.get('content-type'), parseJsonLines(await lines.text())]).toEqual([
      'application/jsonl',
      [expect.objectContaining({ id })],
    ])
    expect(await (await send(`/annotation_queues/${id}?project_id=a%2Fb`, { headers })).json()).toMatchObject({ queue: { id } })
    const invalid = await post('/cost/query', { project_id: 'a', fields: 1 })
    expect([invalid.status, ((await invalid.json()) as { detail: unknown[] }).detail.length]).toEqual([422, 2])
    const anonymous = await send('/projects')
    expect([anonymous.status, anonymous.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="spool"'])
    expect((await send('/anything/unknown', { method: 'PATCH', headers })).status).toBe(404)
  })

  test('compressed bodies pass unchanged in both directions', async () => {
    const body = gzipSync(
      JSON.stringify({
        project_id: 'a/b',
        costs: Object.fromEntries(
          Array.from({ length: 500 }, (_, index) => [`m${index}`, { prompt_token_cost: 1, completion_token_cost: 1 }]),
        ),
      }),
    )
    const created = await send('/cost/create', {
      method: 'POST',
      headers: { ...headers, 'content-encoding': 'gzip' },
      body: new Uint8Array(body),
    })
    expect(created.status).toBe(200)
    const listed = await post('/cost/query', { project_id: 'a/b' })
    expect(listed.headers.get('content-encoding')).toBe('gzip')
    expect(((await listed.json()) as { results: unknown[] }).results).toHaveLength(500)
    expect((await send('/health', { method: 'HEAD' })).status).toBe(200)
  })

  test('/health is about this process, not the upstream', async () => {
    const url = await serveUpstreamApp('http://127.0.0.1:9')
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: 'ok' })
  })
})

describe('with an upstream that fails', () => {
  test('an upstream that cannot be reached is a 502 problem', async () => {
    const response = await fetch(`${await serveUpstreamApp('http://127.0.0.1:9')}/cost/query`, {
      method: 'POST',
      headers,
      body: '{}',
    })
    expect(response.status).toBe(502)
    expect(await response.json()).toEqual({
      detail: [{ loc: [], msg: expect.stringContaining('ECONNREFUSED'), type: 'upstream_unreachable' }],
    })
  })

  test('an upstream that closes the connection before it responds is 502', async () => {
    const url = await serve((request) => void request.socket.destroy())
    expect((await fetch(`${await serveUpstreamApp(url)}/x`)).status).toBe(502)
  })

  test('a response that the upstream breaks off is broken off here', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/jsonl' })
      response.write('{"n":1}\n')
      setTimeout(() => response.destroy(), 50)
    })
    const response = await fetch(`${await serveUpstreamApp(url)}/x`)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
  })

  test('lines arrive as they are sent, and a client that disconnects is disconnected from the upstream', async () => {
    let isDisconnected = false
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/jsonl' })
      response.write('{"n":1}\n')
      response.on('close', () => (isDisconnected = true))
    })
    const client = new AbortController()
    const response = await fetch(`${await serveUpstreamApp(url)}/x`, { signal: client.signal })
    const first = await response.body?.getReader().read()
    expect(new TextDecoder().decode(first?.value)).toBe('{"n":1}\n')
    client.abort()
    await expect.poll(() => isDisconnected).toBe(true)
  })

  test('paths are appended to the base path, and cookies are dropped in both directions', async () => {
    const url = await serve((request, response) => {
      response.setHeader('set-cookie', 'a=b')
      response.end(
        JSON.stringify([request.url, request.headers.cookie ?? null, request.headers.authorization, request.headers.host]),
      )
    })
    const response = await fetch(`${await serveUpstreamApp(`${url}/base/`)}/x%2Fy?q=1`, {
      headers: { cookie: 'other=program', authorization: 'Bearer x' },
    })
    expect(await response.json()).toEqual(['/base/x%2Fy?q=1', null, 'Bearer x', new URL(url).host])
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('x-request-id')).toBe('id')
  })
})
