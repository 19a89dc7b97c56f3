import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Logger } from 'pino'
import { Connections } from './connections'
import { DrainingResponse, type ResponseLimits } from './draining-response'
import type { HttpEnv } from './http-env'
import { HttpError, internalError } from './http-error'
import { toMaxConnections } from './max-connections'
import { endConnection, errorHeaders, invalidRequest, refuseConnection, toParserError } from './refuse-connection'
import { grpcMessage, refuseGrpc } from './refuse-grpc'

export type HttpServerDeps = {
  fetch: Hono<HttpEnv>['fetch']
  newId: () => string
  logger: Logger
  /** Those that differ from the defaults. */
  limits?: Partial<typeof defaultLimits>
  responseLimits?: ResponseLimits
}

const defaultLimits = {
  /** A connection costs a file handle (see `toMaxConnections`) and about 20 KB. */
  maxConnections: toMaxConnections(undefined),
  /** Clients wait for each response. Node handles all requests that are sent ahead at once, and they cost the client nothing. */
  maxRequestsAhead: 32,
  /** Headers are 16 KiB at most: seconds even on a slow line. Node's default of 60 s lets an idle connection live longer. */
  headersTimeoutMs: 20_000,
  /** Node checks the one above this often; its default is 30 s. */
  checkIntervalMs: 5000,
  /**
   * Longer than the 60 s of AWS load balancers and nginx, so that they, not we, close an idle connection: Node's 5 s let a
   * request meet a connection that is just being closed. Idle connections are the first that `Connections` closes.
   */
  keepAliveTimeoutMs: 65_000,
  /** A client that reads nothing of a response for this long is gone. */
  sendTimeoutMs: 60_000,
}
/** A rest of a body up to this size is cheaper to read than a new connection is to open. */
const maxKeptRestBytes = 1024 * 1024

const grpcLogIntervalMs = 60_000

/** A server for an app: what the app does not see of a connection is here. */
export function createHttpServer({ fetch, newId, logger, limits, responseLimits }: HttpServerDeps): Server {
  const { maxConnections, maxRequestsAhead, headersTimeoutMs, checkIntervalMs, keepAliveTimeoutMs, sendTimeoutMs } = {
    ...defaultLimits,
    ...limits,
  }
  const connections = new Connections(maxConnections)
  const server = createServer({
    ServerResponse: DrainingResponse,
    headersTimeout: headersTimeoutMs,
    connectionsCheckingInterval: checkIntervalMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // Off: Node would end a large body on a slow line. `readBody` ends those that stall, and the others are drained.
    requestTimeout: 0,
    // Off: `findProblem` checks it, with an error body.
    requireHostHeader: false,
  })
  const listener = getRequestListener(
    async (request, env) => {
      const incoming = env.incoming as IncomingMessage // this server does not speak HTTP/2
      const onSignIn = (username: string) => connections.signIn(incoming.socket, username)
      const response = await fetch(request, { ...env, onSignIn })
      if (!incoming.complete && !hasSmallRest(incoming)) response.headers.set('connection', 'close')
      return response
    },
    {
      // HTTP/1.0 requests need no Host header, for example a load balancer's health check.
      hostname: 'localhost',
      // `DrainingResponse` does it without cutting off the response.
      autoCleanupIncoming: false,
      errorHandler: (error) => toErrorResponse(error),
    },
  )
  const logRefusal = (error: HttpError, requestId: string) => {
    logger.info({ status: error.status, problems: error.problems.map(({ type }) => type), requestId }, 'connection refused')
  }
  let grpcLoggedMs = -Infinity
  const logGrpc = () => {
    // An exporter tries again every few seconds.
    if (performance.now() - grpcLoggedMs < grpcLogIntervalMs) return
    grpcLoggedMs = performance.now()
    const remedy = 'Set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf where it runs, or in code use the HTTP exporter'
    logger.warn(`an exporter uses gRPC, which is not supported. ${remedy}`)
  }
  const toErrorResponse = (error: unknown): Response => {
    const requestId = newId()
    const isInvalid = error instanceof RequestError
    const httpError = isInvalid ? invalidRequest(['path'], 'The address of the request is invalid.') : internalError(requestId)
    if (isInvalid) logRefusal(httpError, requestId)
    else logger.error({ err: error, requestId }, 'request failed')
    const body = JSON.stringify({ detail: httpError.problems })
    return new Response(body, { status: httpError.status, headers: errorHeaders(httpError, requestId) })
  }

  const handle = (incoming: IncomingMessage, response: ServerResponse) => {
    if (responseLimits && response instanceof DrainingResponse) response.limits = responseLimits
    const { socket } = incoming
    // The parser goes on with what it has read of a connection that is closed.
    if (socket.destroyed) return
    connections.addRequest(response)
    if (connections.responsesOf(socket).size > maxRequestsAhead) {
      socket.destroy()
      return
    }
    const problem = findProblem(incoming)
    if (!problem) {
      void listener(incoming, response)
      return
    }
    const requestId = newId()
    logRefusal(problem, requestId)
    const body = JSON.stringify({ detail: problem.problems })
    response.writeHead(problem.status, { ...errorHeaders(problem, requestId), 'content-length': Buffer.byteLength(body) })
    response.end(body)
  }
  server.on('request', handle)
  // The client waits with its body for a 100. It gets one when the app begins to read, or the final status instead.
  server.on('checkContinue', (incoming, response) => {
    incoming.once('resume', () => {
      if (!response.headersSent) response.writeContinue()
    })
    handle(incoming, response)
  })
  // Other expectations may be ignored (RFC 9110, section 10.1.1), and Node's 417 has no body.
  server.on('checkExpectation', handle)
  // Without a listener for 'upgrade' Node handles such a request as any other, which HTTP allows and curl relies on.
  server.on('connect', (_, socket) => {
    const error = new HttpError('method_not_allowed', {
      loc: ['method'],
      msg: 'This is not a proxy.',
      type: 'method_not_allowed',
    })
    const requestId = newId()
    logRefusal(error, requestId)
    refuseConnection(socket, error, requestId)
  })

  const refused = new WeakSet<Socket>()
  server.on('clientError', (error, stream) => {
    const socket = stream as Socket // a server on a port has no other streams
    // The parser reports the same error again for all that follows.
    if (refused.has(socket)) return
    refused.add(socket)
    const framesOfHttp2 = readFramesOfHttp2(error)
    if (framesOfHttp2 && connections.responsesOf(socket).size === 0) {
      logGrpc()
      refuseGrpc(socket, framesOfHttp2, headersTimeoutMs)
      return
    }
    const refuse = () => {
      const parserError = toParserError(error)
      if (!parserError) {
        socket.destroy()
        return
      }
      const requestId = newId()
      logRefusal(parserError, requestId)
      refuseConnection(socket, parserError, requestId)
    }
    const pending = [...connections.responsesOf(socket)]
    const current = pending.find(({ req }) => !req.complete)
    // A request before the wrong one still gets its response, and a response that has begun cannot be replaced.
    const previous = pending.at(-1)
    if (!previous) refuse()
    else if (!current) previous.once('close', refuse)
    else if (!current.headersSent) refuse()
    else if (current instanceof DrainingResponse && current.isDraining) endConnection(socket)
    else socket.destroy()
  })

  server.on('connection', (socket) => connections.add(socket))
  server.setTimeout(sendTimeoutMs, (socket) => {
    const isHandling = connections.responsesOf(socket).size > 0
    // A handler that takes long is no reason, and idle connections end by the timeout of keep-alive.
    if (!isHandling || socket.writableLength > 0) socket.destroy()
  })
  return server
}

/** Whether reading the rest of the body is worth keeping the connection. */
function hasSmallRest({ headers }: IncomingMessage): boolean {
  // A client that waits for a 100 may leave the body out, and then the next request would be taken for it.
  return headers.expect === undefined && Number(headers['content-length'] ?? Infinity) <= maxKeptRestBytes
}

/** What follows the preface of HTTP/2 in the bytes that the parser was given; undefined where there was no preface. */
function readFramesOfHttp2(error: Error): Uint8Array | undefined {
  if (!('code' in error) || error.code !== 'HPE_PAUSED_H2_UPGRADE') return undefined
  const { rawPacket, bytesParsed } = error as Error & { rawPacket?: Buffer; bytesParsed?: number } // as Node's parser fails
  return rawPacket?.subarray(bytesParsed)
}

/** What Node's parser lets pass and nobody should send. */
function findProblem({ url, headers, rawHeaders, httpVersion }: IncomingMessage): HttpError | undefined {
  if (headers['content-type']?.startsWith('application/grpc')) {
    // A proxy may pass it on as HTTP/1.1.
    return new HttpError('unsupported_media_type', { loc: ['header', 'content-type'], msg: grpcMessage, type: 'grpc' })
  }
  if (!url?.startsWith('/')) return invalidRequest(['path'], 'This is not a proxy. The request line must have a path only.')
  const hostCount = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length
  if (hostCount > 1) return invalidRequest(['header', 'host'], 'There are two Host headers.')
  if (hostCount === 0 && httpVersion !== '1.0') return invalidRequest(['header', 'host'], 'A Host header is required.')
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
    return invalidRequest(['header', 'transfer-encoding'], "The only supported Transfer-Encoding is 'chunked'.")
  }
  return undefined
}
