import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { getRequestListener } from '@hono/node-server'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administrator, basic, parseJsonLines, openTestApp, type TestApp } from '../testing/test-app'
import { createUpstreamApp } from './upstream-app'
import { sendRaw } from '../testing/send-raw'
import { loopbackAccess } from '../testing/loopback-access'

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
  serveApp(createUpstreamApp({ upstreamUrl, newId: () => 'id', logger: pino({ level: 'silent' }), access: loopbackAccess }).fetch)

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
    const options = await send('/annotation_queues', { method: 'OPTIONS', headers })
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'POST'])
    const invalid = await post('/cost/query', { project_id: 'a', fields: 1 })
    expect([invalid.status, ((await invalid.json()) as { detail: unknown[] }).detail.length]).toEqual([422, 2])
    const form = new FormData()
    form.set('project_id', 'a/b')
    form.set('file', new Blob(['text']), 'file')
    const file = await send('/file/create', { method: 'POST', headers: { authorization: basic(administrator) }, body: form })
    expect([file.status, await file.json()]).toEqual([200, { digest: expect.any(String) }])
    const anonymous = await send('/projects')
    expect([anonymous.status, anonymous.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="spool"'])
  })

  test('compressed requests are accepted, and long responses are compressed', async () => {
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
    const gone = createServer()
    await new Promise<void>((resolve) => {
      gone.listen(0, '127.0.0.1', resolve)
    })
    const { port } = gone.address() as AddressInfo // a server on a port has an address object
    await new Promise((resolve) => {
      gone.close(resolve)
    })
    const url = await serveUpstreamApp(`http://127.0.0.1:${port}`)
    const response = await fetch(`${url}/cost/query`, { method: 'POST', headers, body: '{}' })
    expect(response.status).toBe(502)
    expect(await response.json()).toEqual({
      detail: [{ loc: [], msg: expect.stringContaining('ECONNREFUSED'), type: 'upstream_unreachable' }],
    })
  })

  test('an upstream that closes the connection before it responds is 502', async () => {
    const url = await serve((request) => void request.socket.destroy())
    expect((await fetch(`${await serveUpstreamApp(url)}/projects`)).status).toBe(502)
  })

  test('a response that the upstream breaks off is broken off here', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/jsonl' })
      response.write('{"n":1}\n')
      setTimeout(() => response.destroy(), 50)
    })
    const response = await fetch(`${await serveUpstreamApp(url)}/projects`)
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
    const response = await fetch(`${await serveUpstreamApp(url)}/projects`, { signal: client.signal })
    const first = await response.body?.getReader().read()
    expect(new TextDecoder().decode(first?.value)).toBe('{"n":1}\n')
    client.abort()
    await expect.poll(() => isDisconnected).toBe(true)
  })

  test('a body that stalls is broken off', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/jsonl' })
      response.write('{"n":1}\n')
    })
    const stalling = serveApp(
      createUpstreamApp({
        upstreamUrl: url,
        newId: () => 'id',
        logger: pino({ level: 'silent' }),
        access: loopbackAccess,
        timeouts: { stallTimeoutMs: 100 },
      }).fetch,
    )
    const response = await fetch(`${await stalling}/projects`)
    await expect(response.text()).rejects.toThrow()
  })

  test('an upstream that does not begin to respond is 504', async () => {
    const url = await serve(() => undefined)
    const waiting = serveApp(
      createUpstreamApp({
        upstreamUrl: url,
        newId: () => 'id',
        logger: pino({ level: 'silent' }),
        access: loopbackAccess,
        timeouts: { responseTimeoutMs: 100 },
      }).fetch,
    )
    expect((await fetch(`${await waiting}/projects`)).status).toBe(504)
  })
})

type Seen = { method: string; url: string; headers: IncomingHttpHeaders; body: string }

/** An upstream that remembers what it received, with the app in front of it. */
async function serveWithRecorder(basePath = '') {
  const seen: Seen[] = []
  const url = await serve((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers: received } = request
      seen.push({ method, url: path, headers: received, body: Buffer.concat(chunks).toString() })
      response.setHeader('content-type', 'application/json').setHeader('set-cookie', 'a=b').setHeader('x-upstream', 'secret')
      response.end('{"results":[]}')
    })
  })
  return { seen, front: await serveUpstreamApp(`${url}${basePath}`), host: new URL(url).host }
}

describe('attacks', () => {
  test.each([
    ['an authority in the path', '//127.0.0.1:1/cost/query'],
    ['three slashes', '///127.0.0.1:1/cost/query'],
    ['a backslash', '/\\127.0.0.1:1/cost/query'],
    ['dot segments', '/cost/query/../../admin'],
    ['encoded dot segments', '/cost/%2e%2e/admin'],
    ['an encoded slash in an operation', '/cost%2Fquery'],
    ['a path that is no operation', '/admin'],
    ['a sign-in code', '/session/redeem'],
    ['a sign-in', '/session'],
    ['a sign-out everywhere', '/sessions'],
  ])('%s reaches no upstream', async (_, path) => {
    const { seen, front: url } = await serveWithRecorder()
    const status = (await sendRaw(url, raw('POST', path, '{}'))).slice(9, 12)
    expect(seen).toEqual([])
    expect(['404', '405', '400']).toContain(status)
  })

  const raw = (method: string, path: string, body: string, more = '') =>
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Basic c2VjcmV0\r\n${more}` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

  test('the absolute form of a request line reaches the upstream only, whatever host it names', async () => {
    const { seen, front: url, host } = await serveWithRecorder('/base')
    await sendRaw(url, raw('POST', 'http://127.0.0.1:1/cost/query', '{}'))
    expect(seen.map((request) => [request.url, request.headers.host])).toEqual([['/base/cost/query', host]])
  })

  test('a queue id stays one part of the path, encoded', async () => {
    const { seen, front: url } = await serveWithRecorder('/base')
    const get = (id: string) =>
      sendRaw(url, `GET /annotation_queues/${id} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    await get('a%2F..%2Fb?project_id=x%2Fy')
    expect(seen.map((request) => request.url)).toEqual(['/base/annotation_queues/a%2F..%2Fb?project_id=x%2Fy'])
    for (const id of ['..', '%2e%2e', '.', '%2e']) await get(id)
    expect(seen).toHaveLength(1)
  })

  test('a GET with a body sends none of it, and nothing of the next request is read as part of it', async () => {
    const { seen, front: url } = await serveWithRecorder()
    const smuggled = 'GET /stolen HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const body = `GET /projects HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${smuggled.length}\r\nConnection: close\r\n\r\n${smuggled}`
    await sendRaw(url, body)
    // Two victims use the same connections to the upstream afterwards.
    for (const name of ['one', 'two']) {
      await fetch(`${url}/cost/query`, { method: 'POST', headers: { ...headers, authorization: name }, body: `"${name}"` })
    }
    expect(seen.map((request) => [request.method, request.url, request.headers.authorization, request.body])).toEqual([
      ['GET', '/projects', undefined, ''],
      ['POST', '/cost/query', 'one', '"one"'],
      ['POST', '/cost/query', 'two', '"two"'],
    ])
  })

  test.each([
    ['Content-Length and Transfer-Encoding', 'Transfer-Encoding: chunked\r\n'],
    ['two lengths', 'Content-Length: 1\r\n'],
  ])('a request with %s is rejected', async (_, more) => {
    const { seen, front: url } = await serveWithRecorder()
    expect(await sendRaw(url, raw('POST', '/cost/query', '{}', more))).toMatch(/^HTTP\/1\.1 400/)
    expect(seen).toEqual([])
  })

  test('a chunked body is sent on whole, with its length', async () => {
    const { seen, front: url } = await serveWithRecorder()
    const start = 'POST /cost/query HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n'
    await sendRaw(url, `${start}1\r\n{\r\n1\r\n}\r\n0\r\n\r\n`)
    expect(seen.map(({ body, headers: received }) => [body, received['content-length'], received['transfer-encoding']])).toEqual([
      ['{}', '2', undefined],
    ])
  })

  test('only listed headers pass, in both directions', async () => {
    const { seen, front: url } = await serveWithRecorder()
    const hopByHop = 'Connection: x-hop\r\nX-Hop: 1\r\nCookie: a=b\r\nX-Other: 1\r\nProxy-Authorization: p\r\n'
    const received = await sendRaw(url, raw('POST', '/cost/query', '{}', hopByHop))
    const names = Object.keys(seen[0]?.headers ?? {})
    expect(names.filter((name) => /hop|cookie|other|proxy/.test(name))).toEqual([])
    expect(seen[0]?.headers.authorization).toBe('Basic c2VjcmV0')
    expect(received).not.toMatch(/set-cookie|x-upstream/i)
    expect(received).toMatch(/x-content-type-options: nosniff/i)
  })

  test.each([200, 500])('HTML of the upstream never reaches the browser (status %i)', async (upstreamStatus) => {
    const url = await serve((_, response) => {
      response.writeHead(upstreamStatus, { 'content-type': 'text/html' }).end('<script>steal()</script>')
    })
    const response = await fetch(`${await serveUpstreamApp(url)}/projects`)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      upstreamStatus === 200 ? 502 : 500,
      'application/json',
    ])
    expect(await response.json()).toMatchObject({ detail: [{ type: 'upstream_media_type' }] })
  })

  test('a redirect is not followed: credentials stay with the upstream', async () => {
    const { seen, host } = await serveWithRecorder()
    const url = await serve((_, response) => response.writeHead(307, { location: `http://${host}/cost/query` }).end())
    const response = await fetch(`${await serveUpstreamApp(url)}/cost/query`, { method: 'POST', headers, body: '{}' })
    expect([response.status, seen]).toEqual([502, []])
  })

  test('a service that is its own upstream says so instead of calling itself for ever', async () => {
    let app: ReturnType<typeof createUpstreamApp> | undefined
    const url = await serveApp(async (request) => (await app?.fetch(request)) ?? new Response())
    app = createUpstreamApp({ upstreamUrl: url, newId: () => 'id', logger: pino({ level: 'silent' }), access: loopbackAccess })
    const response = await fetch(`${url}/projects`)
    expect([response.status, await response.json()]).toMatchObject([502, { detail: [{ type: 'upstream_loop' }] }])
  })
})
