import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { loopbackAccess } from '../testing/loopback-access'
import { openSocket, readToEnd, sendRaw } from '../testing/send-raw'
import type { ResponseLimits } from './draining-response'
import { createHttpApp } from './http-app'
import { HttpError } from './http-error'
import { createHttpServer, type HttpServerDeps } from './http-server'

const mebibyte = 1024 * 1024
const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A service that reads no bodies, unless at /echo. */
async function serve(limits: HttpServerDeps['limits'] = {}, responseLimits?: ResponseLimits): Promise<string> {
  const deps = { newId: () => 'request-1', logger: pino({ level: 'silent' }) }
  const app = createHttpApp({ ...deps, access: loopbackAccess, toHttpError: () => undefined })
  app.get('/', (c) => c.json({ ok: true }))
  app.all('/echo', async (c) => c.text(await c.req.text()))
  app.get('/sign-in/:name', (c) => {
    c.env.onSignIn?.(c.req.param('name'))
    return c.json({ ok: true })
  })
  app.get('/taken', () => {
    throw new HttpError('conflict', { loc: [], msg: `Two lines:\r\né${'x'.repeat(500)}`, type: 'value_error' })
  })
  app.get('/never', () => new Promise<Response>(() => {}))
  app.get('/large', (c) => c.body(new Uint8Array(30 * mebibyte)))
  const server = createHttpServer({ fetch: app.fetch, ...deps, limits, ...(responseLimits && { responseLimits }) })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a server on a port has an address object
}

/** Status, headers and JSON body of a response as text. */
function parseResponse(text: string): {
  status: number
  headers: string
  detail: { loc: string[]; msg: string; type: string }[]
} {
  const [headers = '', body = ''] = text.split('\r\n\r\n')
  return { status: Number(headers.slice(9, 12)), headers, detail: JSON.parse(body).detail }
}

const head = (line: string, ...headers: string[]) => `${[`${line} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`

test('the status line of an error says what is wrong, in ASCII', async () => {
  const readReason = async (path: string) => {
    const [line] = (await sendRaw(await serve(), head(`GET ${path}`, 'Connection: close'))).split('\r\n')
    return line
  }
  expect(await readReason('/none')).toBe('HTTP/1.1 404 There is no /none here.')
  expect(await readReason('/taken')).toBe(`HTTP/1.1 409 Two lines: ${'x'.repeat(289)}`)
})

test('a request that the parser refuses gets the error body of all others, and the connection is closed', async () => {
  const response = parseResponse(await sendRaw(await serve(), 'GET\r\n\r\n'))
  expect(response).toMatchObject({
    status: 400,
    detail: [{ loc: [], msg: expect.stringMatching(/^This is not a valid HTTP request: /), type: 'invalid_request' }],
  })
  expect(response.headers).toMatch(/content-type: application\/json\r\n[^]*x-request-id: request-1[^]*connection: close/)
})

describe('refused with an error body', () => {
  const length = 'Content-Length: 2'
  test.each<[string, string, number]>([
    ['an unknown method', head('BREW /'), 400],
    ['bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
    ['headers larger than 16 KiB', head('GET /', `X-Long: ${'x'.repeat(20_000)}`), 431],
    ['a space in a header name', head('GET /', 'X Y: 1'), 400],
    ['two lengths', `${head('POST /', length, 'Content-Length: 3')}{}`, 400],
    ['a length and chunks', `${head('POST /', length, 'Transfer-Encoding: chunked')}0\r\n\r\n`, 400],
    ['an unknown transfer encoding', head('POST /', 'Transfer-Encoding: gzip'), 400],
    ['an unknown transfer encoding before chunked', `${head('POST /echo', 'Transfer-Encoding: gzip, chunked')}0\r\n\r\n`, 400],
    ['a negative length', head('POST /', 'Content-Length: -1'), 400],
    ['a broken chunk', `${head('POST /echo', 'Transfer-Encoding: chunked')}zz\r\n`, 400],
    ['CONNECT', head('CONNECT example.org:443'), 405],
    ['TRACE', head('TRACE /', 'Connection: close'), 404],
    ['the absolute form', head('GET http://example.org/', 'Connection: close'), 400],
    ['OPTIONS of everything', head('OPTIONS *', 'Connection: close'), 400],
    ['two hosts', head('GET /', 'Host: localhost', 'Connection: close'), 400],
    ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['an invalid host', 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
    ['a backslash in the path', head('GET /\\example.org', 'Connection: close'), 400],
    ['a WebSocket where there is none', head('GET /socket', 'Connection: close, Upgrade', 'Upgrade: websocket'), 404],
  ])('%s', async (_, bytes, status) => {
    const response = parseResponse(await sendRaw(await serve(), bytes))
    expect(response.status).toBe(status)
    expect(response.headers).toMatch(/^content-type: application\/json\r?$/im)
    expect(response.headers).toMatch(/^x-request-id: request-1\r?$/im)
    expect(response.detail).toEqual([{ loc: expect.any(Array), msg: expect.any(String), type: expect.any(String) }])
  })

  test('headers that never end', async () => {
    const url = await serve({ headersTimeoutMs: 100, checkIntervalMs: 20 })
    const [slow, silent] = [await openSocket(url), await openSocket(url)]
    slow.write('GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
    for (const socket of [slow, silent]) expect(parseResponse(await readToEnd(socket)).status).toBe(408)
  })
})

test('an upgrade to another protocol is ignored, as curl expects', async () => {
  const text = await sendRaw(await serve(), head('GET /', 'Connection: close, Upgrade', 'Upgrade: h2c'))
  expect(text).toMatch(/^HTTP\/1\.1 200 /)
})

test('a request before a wrong one still gets its response', async () => {
  const text = await sendRaw(await serve(), `${head('POST /echo', 'Content-Length: 5')}helloBREW / HTTP/1.1\r\n\r\n`)
  expect(text).toMatch(/^HTTP\/1\.1 200 [^]*helloHTTP\/1\.1 400 /)
})

describe('a response before the end of the body', () => {
  test('reaches a client that reads only after it has sent everything, with and without a length', async () => {
    const url = await serve()
    for (const framing of [`Content-Length: ${40 * mebibyte}`, 'Transfer-Encoding: chunked']) {
      const socket = await openSocket(url)
      socket.pause()
      socket.write(head('POST /nowhere', framing))
      const chunk = Buffer.alloc(mebibyte, ' ')
      for (let sent = 0; sent < 40; sent += 1) {
        if (framing.startsWith('T')) socket.write('100000\r\n')
        if (!socket.write(chunk)) await once(socket, 'drain')
        if (framing.startsWith('T')) socket.write('\r\n')
      }
      if (framing.startsWith('T')) socket.write('0\r\n\r\n')
      const { status, headers } = parseResponse(await readToEnd(socket))
      expect(status).toBe(404)
      expect(headers).toMatch(/connection: close/i)
    }
  })

  test('reaches a client that sends garbage for long', async () => {
    const socket = await openSocket(await serve())
    socket.pause()
    const chunk = Buffer.alloc(mebibyte, 'x')
    for (let sent = 0; sent < 20; sent += 1) if (!socket.write(chunk)) await once(socket, 'drain')
    expect(parseResponse(await readToEnd(socket)).status).toBe(400)
  })

  test('keeps the connection where the rest is small', async () => {
    const socket = await openSocket(await serve())
    socket.write(head('POST /nowhere', 'Content-Length: 300000'))
    await once(socket, 'data')
    socket.write('x'.repeat(300_000) + head('GET /', 'Connection: close'))
    expect(await readToEnd(socket)).toMatch(/HTTP\/1\.1 200 /)
  })

  test('replaces the 100 that a client waits for; a body that is wanted gets its 100', async () => {
    const url = await serve()
    const refused = await openSocket(url)
    refused.write(head('POST /nowhere', 'Content-Length: 10', 'Expect: 100-continue'))
    const [first] = await once(refused, 'data')
    expect(String(first)).toMatch(/^HTTP\/1\.1 404 [^]*connection: close/i)
    refused.destroy()

    const wanted = await openSocket(url)
    wanted.write(head('POST /echo', 'Content-Length: 2', 'Expect: 100-continue', 'Connection: close'))
    const [interim] = await once(wanted, 'data')
    expect(String(interim)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    wanted.write('ok')
    expect(await readToEnd(wanted)).toMatch(/^HTTP\/1\.1 200 [^]*ok$/)
  })
})

describe('limits of a response', () => {
  const mild: ResponseLimits = {
    maxDrainBytes: 1e9,
    maxDrainMs: 60_000,
    maxDrainIdleMs: 60_000,
    sendMs: 60_000,
    minSendBytesPerMs: 1,
  }
  /** Sends a body that nobody wants and for ever, in pieces, until the connection is closed. */
  async function sendEndlessly(url: string, pauseMs: number): Promise<number> {
    const socket = await openSocket(url)
    socket.resume()
    socket.write(head('POST /nowhere', 'Content-Length: 1000000000000'))
    let sentBytes = 0
    while (!socket.destroyed && sentBytes < 1e9) {
      if (!socket.write(Buffer.alloc(65_536))) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {})
      await wait(pauseMs)
      sentBytes += 65_536
    }
    return sentBytes
  }

  test('a body that never ends is discarded up to a number of bytes, or a time', async () => {
    expect(await sendEndlessly(await serve({}, { ...mild, maxDrainBytes: mebibyte }), 0)).toBeLessThan(100 * mebibyte)
    expect(await sendEndlessly(await serve({}, { ...mild, maxDrainMs: 100 }), 10)).toBeLessThan(1e9)
  })

  test('a client that stops sending after its response is disconnected', async () => {
    const socket = await openSocket(await serve({}, { ...mild, maxDrainIdleMs: 50 }))
    socket.write(head('POST /nowhere', 'Content-Length: 100'))
    expect(parseResponse(await readToEnd(socket)).status).toBe(404)
  })

  test('a client that reads a large response too slowly is disconnected', async () => {
    const socket = await openSocket(await serve({}, { ...mild, sendMs: 200, minSendBytesPerMs: 1e9 }))
    socket.pause()
    socket.write(head('GET /large'))
    await wait(500)
    expect((await readToEnd(socket)).length).toBeLessThan(30 * mebibyte)
  })
})

describe('connections', () => {
  const isOpen = (socket: Socket) => !socket.destroyed && socket.readyState === 'open'
  const settle = () => wait(100)

  test('beyond the limit displace those that never signed in, then those of the user with the most', async () => {
    const url = await serve({ maxConnections: 4 })
    const signIn = async (name: string) => {
      const socket = await openSocket(url)
      socket.write(head(`GET /sign-in/${name}`))
      await once(socket, 'data')
      return socket
    }
    const [kim, first] = [await signIn('kim'), await signIn('lee')]
    const idle = await openSocket(url)
    const lees = [first, await signIn('lee')]
    await settle()
    lees.push(await signIn('lee'))
    await settle()
    expect([idle, kim, ...lees].map(isOpen)).toEqual([false, true, true, true, true])
    lees.push(await signIn('lee'))
    await settle()
    expect([kim, ...lees].map(isOpen)).toEqual([true, false, true, true, true])
    kim.write(head('GET /', 'Connection: close'))
    expect(await readToEnd(kim)).toMatch(/200 OK/)
  })

  test('a client that does not read its response is disconnected, a handler that takes long is not', async () => {
    const url = await serve({ sendTimeoutMs: 200 })
    const [stalled, waiting] = [await openSocket(url), await openSocket(url)]
    stalled.pause()
    stalled.write(head('GET /large'))
    waiting.write(head('GET /never'))
    await wait(1000)
    expect(isOpen(waiting)).toBe(true)
    const received = await readToEnd(stalled)
    expect(received.length).toBeLessThan(30 * mebibyte)
    waiting.destroy()
  })
})

test('a connection that sends many requests without waiting for a response is closed; a few are served in order', async () => {
  const url = await serve({ maxRequestsAhead: 4 })
  const last = head('GET /', 'Connection: close')
  const few = await sendRaw(url, head('GET /').repeat(3) + last)
  expect(few.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(4)
  const many = await sendRaw(url, head('GET /never').repeat(1000) + last)
  expect(many).toBe('')
})
