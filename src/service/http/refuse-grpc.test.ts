import { once } from 'node:events'
import { connect, type ClientHttp2Session } from 'node:http2'
import { type AddressInfo, connect as connectSocket } from 'node:net'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { loopbackAccess } from '../testing/loopback-access'
import { createHttpApp } from './http-app'
import { createHttpServer, type HttpServerDeps } from './http-server'
import { grpcMessage } from './refuse-grpc'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function serve(limits: HttpServerDeps['limits'] = {}) {
  const logged: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) })
  const deps = { newId: () => 'request-1', logger }
  const app = createHttpApp({ ...deps, access: loopbackAccess, toHttpError: () => undefined })
  const server = createHttpServer({ fetch: app.fetch, ...deps, limits })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, logged } // a server on a port has an address object
}

const path = '/opentelemetry.proto.collector.trace.v1.TraceService/Export'

async function requestByGrpc(session: ClientHttp2Session, body: Buffer) {
  const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' })
  stream.end(body)
  const [headers] = (await once(stream, 'response')) as [Record<string, string | number>]
  return headers
}

test('a gRPC exporter is told to use HTTP, and the log says so once', async () => {
  const { port, logged } = await serve()
  for (const size of [5, 300_000]) {
    const session = connect(`http://127.0.0.1:${port}`)
    closers.push(() => session.destroy())
    expect(await requestByGrpc(session, Buffer.alloc(size))).toMatchObject({
      ':status': 200,
      'content-type': 'application/grpc',
      'grpc-status': '12',
      'grpc-message': grpcMessage,
    })
    if (!session.closed) await once(session, 'close')
  }
  // A program that makes its exporter in code does not read the variable.
  for (const remedy of ['OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf', 'in code use the HTTP exporter']) {
    expect(grpcMessage).toContain(remedy)
    expect(logged.filter((line) => line.includes(remedy))).toHaveLength(1)
  }
})

test('frames may arrive byte by byte', async () => {
  const { port } = await serve()
  const socket = connectSocket(port, '127.0.0.1').setNoDelay(true)
  closers.push(() => socket.destroy())
  // The preface, SETTINGS with one setting, then HEADERS of stream 5 with two bytes.
  const bytes = Buffer.concat([
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    Buffer.from('000006040000000000000300000064', 'hex'),
    Buffer.from('00000201040000000588aa', 'hex'),
  ])
  for (const byte of bytes) {
    socket.write(Buffer.of(byte))
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  const reply = Buffer.concat(chunks)
  // An empty SETTINGS, the acknowledgement of the client's, then HEADERS that end stream 5.
  expect(reply.subarray(0, 18).toString('hex')).toBe('000000040000000000000000040100000000')
  expect(reply.subarray(21, 27).toString('hex')).toBe('010500000005')
  expect(reply.toString('latin1')).toContain(grpcMessage)
})

test('a connection of HTTP/2 without a request ends', async () => {
  const { port } = await serve({ headersTimeoutMs: 100 })
  const socket = connectSocket(port, '127.0.0.1')
  closers.push(() => socket.destroy())
  socket.end('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  expect(Buffer.concat(chunks).toString('hex')).toBe('000000040000000000')
})

test('gRPC that a proxy passes on as HTTP/1.1 gets the same words', async () => {
  const { port } = await serve()
  const init = { method: 'POST', body: 'x', headers: { 'content-type': 'application/grpc+proto' } }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
  expect(response.status).toBe(415)
  expect(await response.json()).toMatchObject({ detail: [{ msg: grpcMessage }] })
})
