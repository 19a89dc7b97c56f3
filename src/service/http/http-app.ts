import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { requestId } from 'hono/request-id'
import type { Logger } from 'pino'
import type { Problem } from '../../contract/problem'
import { accessLog } from './access-log'
import type { HttpEnv } from './http-env'
import { HttpError } from './http-error'
import { type InlineHashes, securityHeaders } from './security-headers'

export type HttpDeps = {
  newId: () => string
  logger: Logger
  /** Translates the errors of features and the store; undefined for an unexpected one. */
  toHttpError: (error: unknown) => HttpError | undefined
  inlineHashes?: InlineHashes | undefined
}

// Any page may call. There are no cookies: a page can only send credentials that its user typed in there, so a dashboard
// of another origin can be pointed at this service.
const corsOptions = {
  origin: '*',
  allowHeaders: ['authorization', 'content-type', 'idempotency-key', 'wandb-api-key', 'project_id'],
  exposeHeaders: ['retry-after', 'x-request-id'],
  maxAge: 600,
}

/** An app without routes: access log, the headers of every response, and the one error body. */
export function createHttpApp({ newId, logger, toHttpError, inlineHashes }: HttpDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  const corsHeaders = cors(corsOptions)

  // Ids that clients send are longer than 0 and so never used.
  app.use(requestId({ generator: newId, limitLength: 0 }))
  app.use(accessLog(logger))
  app.use(securityHeaders(inlineHashes))
  app.use(async (c, next) => {
    await next()
    // After the handler: headers set before it make Hono build every response twice, which costs 0.1 ms.
    if (c.req.method !== 'OPTIONS') await corsHeaders(c, async () => {})
    else if (!c.res.headers.has('access-control-allow-origin')) {
      // An error, which the middleware would replace by the response to a preflight.
      c.header('access-control-allow-origin', corsOptions.origin)
      c.header('access-control-expose-headers', corsOptions.exposeHeaders.join(','))
    }
  })

  app.onError((error, c) =>
    problemResponse(c, error instanceof HttpError ? error : (toHttpError(error) ?? internalError(c.get('requestId')))),
  )
  app.notFound((c) => problemResponse(c, notFound(c.req.path)))
  return app
}

/** Answers the preflight request that a browser sends before a call from another origin. */
export function preflight(allowMethods: string[]) {
  return cors({ ...corsOptions, allowMethods })
}

function problemResponse(c: Context, { problems, status, headers }: HttpError): Response {
  const detail: readonly Problem[] = problems
  return c.json({ detail }, status, { 'cache-control': 'no-store', ...headers })
}

function internalError(id: string): HttpError {
  const msg = `The service failed. Its log has the reason under request ${id}.`
  return new HttpError('internal', { loc: [], msg, type: 'internal_error' })
}

function notFound(path: string): HttpError {
  const shortPath = path.length > 100 ? `${path.slice(0, 100)}…` : path
  return new HttpError('not_found', { loc: ['path'], msg: `There is no ${shortPath} here.`, type: 'not_found' })
}
