import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Problem } from '../../contract/problem'
import { acceptsEncoding, compressStream } from '../http/compress'
import type { HttpEnv } from '../http/http-env'
import { HttpError } from '../http/http-error'
import { toBodyStream } from '../http/json-lines'

// Lists of what may pass, because a list of what may not is never complete.
const requestHeaders = [
  'authorization',
  'wandb-api-key',
  'content-type',
  'accept',
  'idempotency-key',
  'project_id',
  'last-event-id',
]
const responseHeaders = ['content-type', 'retry-after', 'www-authenticate', 'idempotency-key', 'allow', 'x-accel-buffering']
const eventStream = 'text/event-stream'
/** A browser runs none of these on our origin. */
const mediaTypes = new Set(['application/json', 'application/jsonl', 'application/x-ndjson', 'text/plain', eventStream])
/** Names the instance that forwarded a request, so that it recognises a request that comes back to it. */
const instanceHeader = 'x-spool-forwarded-by'

export type Upstream = {
  /** http(s), without credentials. */
  baseUrl: URL
  instanceId: string
  /** Until the upstream begins to respond. */
  responseTimeoutMs: number
  /** Between two pieces of the body of a response. */
  stallTimeoutMs: number
}

type ForwardedRequest = { path: string; body: Uint8Array<ArrayBuffer> | undefined }

/**
 * Sends a request to the upstream and streams the response back. The body has been read whole, so the upstream gets it with
 * its exact length or not at all: nothing of one request can be read as part of the next. `fetch` decompresses responses;
 * they are compressed again for clients that accept it.
 */
export async function forwardRequest(
  c: Context<HttpEnv>,
  { path, body }: ForwardedRequest,
  { baseUrl, instanceId, responseTimeoutMs, stallTimeoutMs }: Upstream,
): Promise<Response> {
  if (c.req.header(instanceHeader) === instanceId) throw loop()
  const stopping = new AbortController()
  const timer = setTimeout(() => stopping.abort(timedOut()), responseTimeoutMs)
  const headers = copyHeaders(c.req.raw.headers, requestHeaders)
  headers.set(instanceHeader, instanceId)
  const response = await fetch(toUpstreamUrl(baseUrl, path, new URL(c.req.url).search), {
    method: c.req.method,
    headers,
    redirect: 'manual',
    signal: AbortSignal.any([c.req.raw.signal, stopping.signal]),
    ...(body && { body }),
  })
    .catch((error: unknown) => {
      throw error instanceof HttpError ? error : unreachable(error)
    })
    .finally(() => clearTimeout(timer))

  const stop = (reason: HttpError) => stopping.abort(reason)
  if (response.status >= 300 && response.status < 400) {
    stop(redirected())
    throw redirected()
  }
  const own = copyHeaders(response.headers, responseHeaders)
  own.set('cache-control', 'no-store')
  const mediaType = response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (!response.body || c.req.method === 'HEAD') {
    own.delete('content-type')
    return new Response(null, { status: response.status, headers: own })
  }
  if (mediaType === undefined || !mediaTypes.has(mediaType)) {
    const error = wrongMediaType(response.status)
    stop(error)
    if (response.ok) throw error
    // The status still says what is wrong; an HTML error page does not pass.
    own.delete('content-type')
    const detail: readonly Problem[] = error.problems
    return c.json({ detail }, response.status as ContentfulStatusCode, Object.fromEntries(own)) // an error status has a body
  }
  // Compression would hold events back.
  const isCompressed = mediaType !== eventStream && acceptsEncoding(c.req.header('accept-encoding'), 'gzip')
  if (isCompressed) own.set('content-encoding', 'gzip')
  own.set('vary', 'accept-encoding')
  const chunks = readChunks(response.body, stallTimeoutMs)
  // A stream that fails is broken off, so that the client sees that it is incomplete. The access log has the request.
  const stream = toBodyStream(isCompressed ? compressStream(chunks) : chunks, () => stop(timedOut()))
  return new Response(stream, { status: response.status, headers: own })
}

/** The address below the base. Throws where `path` would lead to another origin or out of the base's path. */
function toUpstreamUrl(baseUrl: URL, path: string, search: string): URL {
  const basePath = baseUrl.pathname.replace(/\/$/, '')
  const url = new URL(baseUrl)
  url.pathname = `${basePath}${path}`
  url.search = search
  url.hash = ''
  if (url.origin !== baseUrl.origin || url.pathname !== `${basePath}${path}`) throw notFound()
  return url
}

function copyHeaders(source: Headers, names: readonly string[]): Headers {
  return new Headers(
    names.flatMap((name) => {
      const value = source.get(name)
      return value === null ? [] : [[name, value] as [string, string]]
    }),
  )
}

async function* readChunks(body: ReadableStream<Uint8Array>, stallTimeoutMs: number): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      let timer: NodeJS.Timeout | undefined
      const stalled = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(timedOut()), stallTimeoutMs)
      })
      const { done, value } = await Promise.race([reader.read(), stalled]).finally(() => clearTimeout(timer))
      if (done) return
      yield value
    }
  } finally {
    // A body that already failed cannot be cancelled, and its error has been thrown above.
    await reader.cancel().catch(() => undefined)
  }
}

export function notFound(): HttpError {
  const msg = 'There is no such operation to forward.'
  return new HttpError('not_found', { loc: ['path'], msg, type: 'not_found' })
}

function timedOut(): HttpError {
  const msg = 'The upstream service took too long to respond.'
  return new HttpError('timed_out', { loc: [], msg, type: 'upstream_timed_out' })
}

function redirected(): HttpError {
  const msg =
    'The upstream service redirects, and credentials are not sent to another address. Set SPOOL_UPSTREAM to the final one.'
  return new HttpError('bad_gateway', { loc: [], msg, type: 'upstream_redirected' })
}

function wrongMediaType(status: number): HttpError {
  const msg = `The upstream service responded with status ${status} and content that is neither JSON nor plain text.`
  return new HttpError('bad_gateway', { loc: [], msg, type: 'upstream_media_type' })
}

function loop(): HttpError {
  const msg = 'SPOOL_UPSTREAM leads back to this service. Set it to another one.'
  return new HttpError('bad_gateway', { loc: [], msg, type: 'upstream_loop' })
}

function unreachable(error: unknown): HttpError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
  // fetch refuses a few ports without a code: its message says "bad port".
  const reason = code ?? (cause instanceof Error ? cause.message : String(cause))
  const msg = `The upstream service cannot be reached (${reason}). Check SPOOL_UPSTREAM and that service.`
  return new HttpError('bad_gateway', { loc: [], msg, type: 'upstream_unreachable' })
}
