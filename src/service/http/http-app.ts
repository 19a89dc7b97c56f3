import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import type { Logger } from 'pino'
import type { Problem } from '../../contract/problem'
import { HttpError } from './http-error'

export type HttpEnv = {
  /** Absent where the app is called in memory. */
  Bindings: Partial<HttpBindings>
  Variables: { requestId: string }
}

export type HttpDeps = {
  newId: () => string
  logger: Logger
  /** Makes an answer of an error that a feature or the store throws; undefined for one nobody expected. */
  toHttpError: (error: unknown) => HttpError | undefined
  securityHeaders: Readonly<Record<string, string>>
}

/** An app without routes: request ids, headers of every answer, and the one error body for whatever goes wrong. */
export function createHttpApp(deps: HttpDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()

  app.use(async (c, next) => {
    c.set('requestId', deps.newId())
    await next()
    setHeaders(c, { ...deps.securityHeaders, 'x-request-id': c.get('requestId'), ...crossOriginHeaders })
  })

  app.onError((error, c) => {
    const refusal = error instanceof HttpError ? error : deps.toHttpError(error)
    const request = { requestId: c.get('requestId'), method: c.req.method, path: c.req.path }
    if (refusal && refusal.status < 500) {
      deps.logger.debug({ ...request, status: refusal.status, problems: refusal.problems }, 'refused')
    } else if (c.req.raw.signal.aborted) deps.logger.debug(request, 'the client went away')
    else deps.logger.error({ ...request, err: error }, 'failed')
    return problemResponse(c, refusal ?? internal(c.get('requestId')))
  })

  app.notFound((c) =>
    problemResponse(
      c,
      new HttpError('not_found', { loc: ['path'], msg: `There is no ${shortened(c.req.path)} here.`, type: 'not_found' }),
    ),
  )
  return app
}

// Any page may call, because nothing is given to it: there are no cookies, and credentials must be sent by its own
// hand. So a dashboard served elsewhere can be pointed at this service.
const crossOriginHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after, x-request-id',
}

/** Answers a browser's question before a call from another origin. */
export function preflightResponse(c: Context, methods: readonly string[]) {
  return c.body(null, 204, {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': 'authorization, content-type, idempotency-key, wandb-api-key, project_id',
    'access-control-max-age': '600',
    'cache-control': 'no-store',
  })
}

export function problemResponse(c: Context, refusal: HttpError): Response {
  const detail: readonly Problem[] = refusal.problems
  return c.json({ detail }, refusal.status, { 'cache-control': 'no-store', ...refusal.headers })
}

function internal(requestId: string): HttpError {
  return new HttpError('internal', {
    loc: [],
    msg: `Something went wrong here. The log has it under request ${requestId}.`,
    type: 'internal_error',
  })
}

function setHeaders(c: Context, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value)
}

function shortened(path: string): string {
  return path.length > 100 ? `${path.slice(0, 100)}…` : path
}
