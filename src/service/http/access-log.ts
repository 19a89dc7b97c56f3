import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { Logger } from 'pino'
import type { HttpEnv } from './http-env'
import { HttpError } from './http-error'

const maxPathSegments = 10

/**
 * Logs one line per request: at debug if it succeeded, at info for a client's mistake (4xx), at warn where the service was
 * too busy or unavailable (503, 504: under load there may be many), at error for any other failure of the service (5xx). A line never holds bodies, headers, query strings or the messages sent to the client. `routePaths` are
 * the paths of all operations.
 */
export function accessLog(logger: Logger, routePaths: () => readonly string[]): MiddlewareHandler<HttpEnv> {
  let words: ReadonlySet<string> | undefined
  const describePath = (path: string) => {
    words ??= new Set(routePaths().flatMap((each) => each.split('/').filter((word) => /^[\w.-]+$/.test(word))))
    return maskPath(path, words)
  }
  return async (c, next) => {
    const startedAt = performance.now()
    await next()
    const level = logLevel(c)
    if (!logger.isLevelEnabled(level)) return
    const { status } = c.res
    const fields = {
      method: c.req.method,
      ...describeRoute(c, describePath),
      status,
      // Until the response begins: a stream may go on for long after that.
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
      requestId: c.get('requestId'),
      user: c.get('username'),
      ...(c.error && describeError(c.error)),
    }
    logger[level](fields, status < 400 ? 'request' : 'request failed')
  }
}

function logLevel(c: Context<HttpEnv>): 'debug' | 'info' | 'warn' | 'error' {
  const { status } = c.res
  // Nobody reads the response: the client has closed the connection, and what it asked for was aborted.
  if (status < 400 || c.req.raw.signal.aborted) return 'debug'
  if (status === 503 || status === 504) return 'warn'
  return status < 500 ? 'info' : 'error'
}

/** The pattern of the route; the path where no operation matches. */
function describeRoute(c: Context<HttpEnv>, describePath: (path: string) => string): { route: string } | { path: string } {
  const route = matchedRoutes(c).find(({ path }) => path !== '/*')?.path
  return route === undefined ? { path: describePath(c.req.path) } : { route }
}

/** Shows how an address is wrong, such as a prefix too many, without words that may be a key or the name of a project. */
function maskPath(path: string, words: ReadonlySet<string>): string {
  const segments = path.split('/')
  const masked = segments.slice(0, maxPathSegments).map((segment) => (segment === '' || words.has(segment) ? segment : '*'))
  return `${masked.join('/')}${segments.length > maxPathSegments ? '/…' : ''}`
}

/** Problems by their types only: messages and places may quote what the client sent. */
function describeError(error: Error): { problems: string[] } | { err: Error } {
  if (!(error instanceof HttpError)) return { err: error }
  return { problems: [...new Set(error.problems.map(({ type }) => type))] }
}
