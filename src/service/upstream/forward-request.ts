import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'
import type { Context } from 'hono'
import type { HttpEnv } from '../http/http-env'
import { HttpError } from '../http/http-error'

/** Until the upstream begins to respond. */
const responseTimeoutMs = 120_000

// Headers of one connection, and cookies, which other programs on this host may have set.
const droppedRequestHeaders = new Set([
  'connection',
  'cookie',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
  'expect',
])
const droppedResponseHeaders = new Set([
  'connection',
  'keep-alive',
  'set-cookie',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'cache-control',
])
/** Statuses without a body, in the Fetch standard. */
const bodilessStatuses = new Set([204, 304])

/**
 * Forwards a request to `upstreamUrl`, credentials included, and streams the response back. Hono's proxy helper would
 * decompress every response, because fetch does; here compressed bodies pass unchanged.
 */
export async function forwardRequest(c: Context<HttpEnv>, upstreamUrl: string): Promise<Response> {
  const { pathname, search } = new URL(c.req.url)
  const base = new URL(upstreamUrl)
  const target = new URL(`${base.pathname.replace(/\/$/, '')}${pathname}${search}`, base)
  const upstream = await send(c.req.raw, target)
  const headers = new Headers()
  for (const [name, values] of Object.entries(upstream.headersDistinct)) {
    if (droppedResponseHeaders.has(name)) continue
    for (const value of values ?? []) headers.append(name, value)
  }
  headers.set('cache-control', 'no-store')
  headers.set('x-request-id', c.get('requestId'))
  const status = upstream.statusCode ?? 502 // a response always has one
  const hasBody = c.req.method !== 'HEAD' && !bodilessStatuses.has(status)
  if (!hasBody) upstream.resume()
  // Node's and the browser's types name the same stream class.
  const body = hasBody ? (Readable.toWeb(upstream) as ReadableStream<Uint8Array>) : null
  return new Response(body, { status, headers })
}

async function send(request: Request, target: URL): Promise<IncomingMessage> {
  const headers = Object.fromEntries([...request.headers].filter(([name]) => !droppedRequestHeaders.has(name)))
  const body = request.body ? Readable.from(readChunks(request.body)) : undefined
  return await new Promise<IncomingMessage>((resolve, reject) => {
    const start = target.protocol === 'https:' ? requestHttps : requestHttp
    const outgoing = start(target, { method: request.method, headers, signal: request.signal }, (response) => {
      clearTimeout(timer)
      resolve(response)
    })
    const timer = setTimeout(() => {
      outgoing.destroy()
      reject(timedOut())
    }, responseTimeoutMs)
    outgoing.on('error', (error) => {
      clearTimeout(timer)
      reject(unreachable(error))
    })
    if (!body) outgoing.end()
    else body.on('error', (error) => outgoing.destroy(error)).pipe(outgoing)
  })
}

function timedOut(): HttpError {
  const msg = 'The upstream service took too long to respond.'
  return new HttpError('timed_out', { loc: [], msg, type: 'upstream_timed_out' })
}

function unreachable(error: Error): HttpError {
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : ''
  const msg = `The upstream service cannot be reached${code}. Check SPOOL_UPSTREAM and that service.`
  return new HttpError('bad_gateway', { loc: [], msg, type: 'upstream_unreachable' })
}

async function* readChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
