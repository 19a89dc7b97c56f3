import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from 'playwright/test'
import { SpoolService } from '../spool-service'
import { fault } from './fault'

const mebibyte = 1024 * 1024
const authorization = `Basic ${btoa('kim:correct horse')}`
const json = { authorization, 'content-type': 'application/json' }

let service: SpoolService
/** What a client with half a body gets. It waits while the other tests run. */
let stalled: Promise<string>
const sockets: Socket[] = []
test.beforeAll(async () => {
  service = await SpoolService.start({ SPOOL_SAMPLE: 'off', SPOOL_USERNAME: 'kim', SPOOL_PASSWORD: 'correct horse' })
  const socket = await open()
  sockets.splice(0)
  socket.write(`${head('POST /call/upsert_batch', `Authorization: ${authorization}`, 'Content-Length: 1000')}{"batch": [`)
  stalled = once(socket, 'data').then(([response]) => String(response))
})
test.afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
test.afterAll(async () => {
  await service.stop()
})

async function open(): Promise<Socket> {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  sockets.push(socket)
  await once(socket, 'connect')
  socket.on('error', () => {})
  return socket
}

async function readToEnd(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString())).resume()
  if (!socket.closed) await once(socket, 'close')
  return text
}

/** Status and parsed body of a response that is all that a connection received. */
function parseResponse(text: string): { status: number; types: string[] } {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const { detail }: { detail: { type: string }[] } = JSON.parse(body)
  expect(head).toMatch(/^content-type: application\/json\r?$/im)
  expect(head).toMatch(/^x-request-id: \S+\r?$/im)
  return { status: Number(head.slice(9, 12)), types: detail.map(({ type }) => type) }
}

const head = (line: string, ...headers: string[]) => `${[`${line} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`
const query = (user = authorization) =>
  fetch(`${service.url}/cost/query`, {
    method: 'POST',
    headers: { ...json, authorization: user },
    body: JSON.stringify({ project_id: 'a/b', limit: 1 }),
  })

/** A batch of calls of about `bytes`. */
const writeCalls = (bytes: number) => {
  const start = {
    project_id: 'a/b',
    op_name: 'o',
    started_at: '2026-01-01T00:00:00Z',
    attributes: {},
    inputs: { text: 'x'.repeat(bytes) },
  }
  return fetch(`${service.url}/call/start`, { method: 'POST', headers: json, body: JSON.stringify({ start }) })
}

fault(
  '150 connections that sign in, declare a body each and send nothing',
  'take no memory: bodies of others are accepted',
  async () => {
    for (const declaredBytes of [32 * mebibyte, mebibyte]) {
      const connections = await Promise.all(Array.from({ length: 150 }, open))
      for (const socket of connections) {
        socket.write(head('POST /call/upsert_batch', `Authorization: ${authorization}`, `Content-Length: ${declaredBytes}`))
      }
      await wait(1000)
      expect((await query()).status).toBe(200)
      expect((await writeCalls(8 * mebibyte)).status).toBe(200)
      for (const socket of connections) socket.destroy()
    }
  },
)

fault(
  '2,500 connections that never send a request',
  'displace each other; a client that signed in keeps its connection',
  async () => {
    const signedIn = await open()
    signedIn.write(head('GET /server_info', `Authorization: ${authorization}`))
    await once(signedIn, 'data')
    for (let count = 0; count < 2500; count += 250) await Promise.all(Array.from({ length: 250 }, open))
    signedIn.write(head('GET /server_info', `Authorization: ${authorization}`, 'Connection: close'))
    expect(await readToEnd(signedIn)).toMatch(/^HTTP\/1\.1 200 /)
    expect((await query()).status).toBe(200)
  },
)

for (const [name, credentials, expected] of [
  ['without credentials', 'X-None: 1', { status: 401, types: ['missing'] }],
  ['too large', `Authorization: ${authorization}`, { status: 413, types: ['body_too_large'] }],
] as const) {
  fault(`40 MB ${name}, from a client that reads only after it has sent all`, `gets its ${expected.status}`, async () => {
    for (const framing of [`Content-Length: ${40 * mebibyte}`, 'Transfer-Encoding: chunked']) {
      const isChunked = framing.startsWith('Transfer')
      const socket = await open()
      socket.pause()
      socket.write(head('POST /call/upsert_batch', credentials, 'Content-Type: application/json', framing))
      for (let sent = 0; sent < 40; sent += 1) {
        if (isChunked) socket.write('100000\r\n')
        if (!socket.write(Buffer.alloc(mebibyte, ' '))) await once(socket, 'drain')
        if (isChunked) socket.write('\r\n')
      }
      if (isChunked) socket.write('0\r\n\r\n')
      expect(parseResponse(await readToEnd(socket))).toEqual(expected)
    }
  })
}

const python = `
import json, sys, urllib.request, urllib.error
url, authorization = sys.argv[1:]
headers = {"authorization": authorization, "content-type": "application/json"}
body = b" " * (40 * 1024 * 1024)
try:
    urllib.request.urlopen(urllib.request.Request(url, body, headers))
except urllib.error.HTTPError as error:
    print(error.code, json.load(error)["detail"][0]["type"])
try:
    import requests
    response = requests.post(url, data=body, headers=headers)
    print(response.status_code, response.json()["detail"][0]["type"])
except ImportError:
    pass
`

fault('40 MB from fetch and from Python', 'gets its 413 and no broken connection', async () => {
  const url = `${service.url}/call/upsert_batch`
  const response = await fetch(url, { method: 'POST', headers: json, body: Buffer.alloc(40 * mebibyte, ' ') })
  expect([response.status, await response.json()]).toMatchObject([413, { detail: [{ type: 'body_too_large' }] }])
  const { stdout } = await promisify(execFile)('python3', ['-c', python, url, authorization]).catch(
    (error: { code?: string }) => {
      if (error.code === 'ENOENT') return { stdout: '413 body_too_large' } // no Python on this machine
      throw error
    },
  )
  expect(new Set(stdout.trim().split('\n'))).toEqual(new Set(['413 body_too_large']))
})

fault('Expect: 100-continue on a request that will be refused', 'gets the refusal instead of 100', async () => {
  for (const [headers, status] of [
    [['Content-Length: 1000'], 401],
    [[`Authorization: ${authorization}`, `Content-Length: ${40 * mebibyte}`], 413],
  ] as const) {
    const socket = await open()
    socket.write(head('POST /call/upsert_batch', 'Expect: 100-continue', 'Content-Type: application/json', ...headers))
    expect(String((await once(socket, 'data'))[0])).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  }
})

fault(
  'bytes that are not HTTP, unknown methods, two lengths, CONNECT, headers without end',
  'get the error body of all others',
  async () => {
    for (const [bytes, status] of [
      ['\x16\x03\x01\x02\x00\r\n\r\n', 400],
      [head('BREW /'), 400],
      [head('POST /call/start', 'Content-Length: 1', 'Content-Length: 2'), 400],
      [head('POST /call/start', 'Content-Length: 1', 'Transfer-Encoding: chunked'), 400],
      [head('POST /call/start', 'Transfer-Encoding: gzip'), 400],
      [head('GET http://127.0.0.1:1/health', 'Connection: close'), 400],
      ['GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
      [head('CONNECT example.org:443'), 405],
      [head('TRACE /projects', 'Connection: close'), 405],
      [head('GET /', `X-Long: ${'x'.repeat(20_000)}`), 431],
    ] as const) {
      const socket = await open()
      socket.write(bytes)
      expect(parseResponse(await readToEnd(socket)).status, bytes.slice(0, 50)).toBe(status)
    }
  },
)

fault(
  'a page of another site that lets its name resolve to this machine',
  'is refused with 421; health checks are not',
  async () => {
    for (const [request, status] of [
      ['GET /', 421],
      ['POST /session/redeem', 421],
      ['GET /health', 200],
    ] as const) {
      const socket = await open()
      socket.write(`${request} HTTP/1.1\r\nHost: rebound.example:7766\r\nConnection: close\r\n\r\n`)
      expect(await readToEnd(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    }
  },
)

fault(
  'a form of another site that posts with the credentials of the browser',
  'is refused with 403 before its body is read',
  async () => {
    for (const type of ['multipart/form-data; boundary=x', 'text/plain', 'application/json', undefined]) {
      for (const origin of ['https://evil.example', 'null']) {
        const socket = await open()
        const headers = [`Origin: ${origin}`, `Authorization: ${authorization}`, ...(type ? [`Content-Type: ${type}`] : [])]
        socket.write(head('POST /cost/create', 'Content-Length: 100', 'Connection: close', ...headers))
        const [first] = await once(socket, 'data')
        expect(parseResponse(String(first))).toEqual({ status: 403, types: ['foreign_origin'] })
      }
    }
  },
)

fault(
  '200 guesses of a password over parallel connections',
  'are let through at one rate; the right password never waits',
  async () => {
    const end = new AbortController()
    const statuses: number[] = []
    const guess = async (index: number) => {
      const headers = { authorization: `Basic ${btoa(`kim:guess ${index}`)}` }
      const response = await fetch(`${service.url}/projects`, { headers, signal: end.signal })
      if (response.status === 429) expect(response.headers.get('retry-after')).toBe('10')
      statuses.push(response.status)
    }
    const guesses = Array.from({ length: 200 }, (_, index) => guess(index))
    await expect.poll(() => statuses.filter((status) => status === 429).length, { timeout: 30_000 }).toBeGreaterThan(150)
    expect((await query()).status).toBe(200)
    expect(statuses.filter((status) => status === 401).length).toBeLessThan(40)
    end.abort()
    await Promise.allSettled(guesses)
  },
)

fault('a body that stops in the middle', 'is ended with 408 after 20 seconds', async () => {
  expect(parseResponse(await stalled)).toEqual({ status: 408, types: ['request_timeout'] })
})

fault(
  '25,000 requests sent ahead on five connections, without reading a response',
  'the connections are closed; others are served',
  async () => {
    const body = JSON.stringify({ project_id: 'a/b' })
    const ahead = head('POST /calls/query_stats', `Authorization: ${authorization}`, `Content-Length: ${body.length}`) + body
    const flooding = await Promise.all(Array.from({ length: 5 }, open))
    for (const socket of flooding) socket.pause().write(ahead.repeat(5000))
    // Not `once`: it rejects where the connection is reset.
    await Promise.all(flooding.map((socket) => new Promise((resolve) => socket.on('close', resolve).resume())))
    expect((await query()).status).toBe(200)
  },
)
