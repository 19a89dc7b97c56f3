import { type Context, Hono } from 'hono'
import { requestId } from 'hono/request-id'
import type { Logger } from 'pino'
import type { Problem } from '../../contract/problem'
import { accessLog } from './access-log'
import { type Access, hostCheck } from './host-check'
import type { HttpEnv } from './http-env'
import { HttpError, internalError } from './http-error'
import { originCheck } from './origin-check'
import { type InlineHashes, securityHeaders } from './security-headers'

export type HttpDeps = {
  newId: () => string
  logger: Logger
  /** Translates the errors of features and the store; undefined for an unexpected one. */
  toHttpError: (error: unknown) => HttpError | undefined
  inlineHashes?: InlineHashes | undefined
  access: Access
}

/** An app without routes: access log, the headers of every response, the checks of Host and Origin, the one error body. */
export function createHttpApp({ newId, logger, toHttpError, inlineHashes, access }: HttpDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()

  // Ids that clients send are longer than 0 and so never used.
  app.use(requestId({ generator: newId, limitLength: 0 }))
  app.use(accessLog(logger, () => app.routes.map(({ path }) => path)))
  app.use(securityHeaders(inlineHashes))
  app.use(hostCheck(access))
  app.use(originCheck(access))

  app.onError((error, c) =>
    problemResponse(c, error instanceof HttpError ? error : (toHttpError(error) ?? internalError(c.get('requestId')))),
  )
  app.notFound((c) => problemResponse(c, notFound(c.req.path)))
  return app
}

/** Proxies refuse longer lines than some thousand characters. */
const maxReasonLength = 300

function problemResponse(c: Context<HttpEnv>, { problems, status, headers }: HttpError): Response {
  const detail: readonly Problem[] = problems
  // Some clients print the reason of the status line and not the body, such as OpenTelemetry's exporter for Python 1.45.
  if (c.env?.outgoing && problems[0]) c.env.outgoing.statusMessage = toReason(problems[0].msg)
  return c.json({ detail }, status, { 'cache-control': 'no-store', ...headers })
}

/** A status line has ASCII only. */
function toReason(message: string): string {
  return message.replaceAll(/[^ -~]+/g, ' ').slice(0, maxReasonLength)
}

function notFound(path: string): HttpError {
  const shortPath = path.length > 100 ? `${path.slice(0, 100)}…` : path
  return new HttpError('not_found', { loc: ['path'], msg: `There is no ${shortPath} here.`, type: 'not_found' })
}
