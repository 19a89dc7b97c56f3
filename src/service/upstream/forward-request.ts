import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'
import type { Context } from 'hono'
import { HttpError } from '../http/http-error'

/** How long the upstream may take to begin its answer. */
const patienceMs = 120_000

// Of the connection, not of the request; cookies of other programs on this host are no business of the upstream.
const keptFromUpstream = new Set([
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
const keptFromClient = new Set([
  'connection',
  'keep-alive',
  'set-cookie',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'cache-control',
])

/** Passes a request on to `upstreamUrl`, credentials included, and its answer back, both as they flow. */
export async function forwardRequest(c: Context, upstreamUrl: string): Promise<Response> {
  const { pathname, search } = new URL(c.req.url)
  const base = new URL(upstreamUrl)
  const target = new URL(`${base.pathname.replace(/\/$/, '')}${pathname}${search}`, base)
  const answer = await send(c.req.raw, target)
  const headers = new Headers()
  for (const [name, values] of Object.entries(answer.headersDistinct)) {
    if (keptFromClient.has(name)) continue
    for (const value of values ?? []) headers.append(name, value)
  }
  headers.set('cache-control', 'no-store')
  const status = answer.statusCode ?? 502
  const isEmpty = c.req.method === 'HEAD' || status === 204 || status === 304
  if (isEmpty) answer.resume()
  // node and the browser's types name one and the same stream class
  const body = isEmpty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>)
  return new Response(body, { status, headers })
}

async function send(request: Request, target: URL): Promise<IncomingMessage> {
  const headers = Object.fromEntries([...request.headers].filter(([name]) => !keptFromUpstream.has(name)))
  const body = request.body ? Readable.from(chunksOf(request.body)) : undefined
  return await new Promise<IncomingMessage>((resolve, reject) => {
    const start = target.protocol === 'https:' ? requestHttps : requestHttp
    const outgoing = start(target, { method: request.method, headers, signal: request.signal }, (answer) => {
      clearTimeout(timer)
      resolve(answer)
    })
    const timer = setTimeout(() => {
      outgoing.destroy()
      reject(
        new HttpError('timed_out', { loc: [], msg: 'The upstream service took too long to answer.', type: 'upstream_timed_out' }),
      )
    }, patienceMs)
    outgoing.on('error', (error) => {
      clearTimeout(timer)
      reject(unreachable(error))
    })
    if (!body) outgoing.end()
    else body.on('error', (error) => outgoing.destroy(error)).pipe(outgoing)
  })
}

function unreachable(error: Error): HttpError {
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : ''
  return new HttpError('bad_gateway', {
    loc: [],
    msg: `The upstream service cannot be reached${code}. Check SPOOL_UPSTREAM and that service.`,
    type: 'upstream_unreachable',
  })
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
