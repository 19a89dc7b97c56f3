import type { Context, MiddlewareHandler } from 'hono'
import { isLoopbackHost } from '../../contract/http'
import type { Access } from './host-check'
import { HttpError } from './http-error'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
const exposedHeaders = 'retry-after,x-request-id'
const preflightHeaders = {
  'access-control-allow-headers': 'authorization,content-type,idempotency-key,last-event-id,wandb-api-key,project_id',
  'access-control-max-age': '600',
}

/**
 * Lets pages of allowed origins read responses (CORS), and refuses every request of another page that could change
 * something: any method but GET, HEAD and OPTIONS, whatever its media type, before its body is read.
 *
 * Allowed are the service's own origin, SPOOL_ORIGINS, and pages of the reader's own machine: a dashboard in development
 * or another Spool's dashboard is pointed at this service there, also where the service is public. A page on loopback
 * has only the credentials that its user typed into it, since no response carries Access-Control-Allow-Credentials;
 * for a cookie, see `isOwnOrigin`.
 */
export function originCheck({ allowedOrigins }: Access): MiddlewareHandler {
  return async (c, next) => {
    const origin = c.req.header('origin')
    const isAllowed = isOwnOrigin(c) || (origin !== undefined && (isLoopbackOrigin(origin) || allowedOrigins.includes(origin)))
    if (!isAllowed && !safeMethods.has(c.req.method)) throw foreignOrigin(origin)
    await next()
    // After the handler: headers set before it make Hono build every response twice, which costs 0.1 ms.
    const { headers } = c.res
    // Also without an Origin: a cache must not give one origin's response to another.
    headers.append('vary', 'origin')
    if (!isAllowed || origin === undefined) return
    headers.set('access-control-allow-origin', origin)
    headers.set('access-control-expose-headers', exposedHeaders)
  }
}

/** The response to the request that a browser sends before a call from another origin. `originCheck` adds the origin. */
export function preflightResponse(c: Context, methods: readonly string[]): Response {
  return c.body(null, 204, { ...preflightHeaders, 'access-control-allow-methods': methods.join(',') })
}

/**
 * Whether no page of another origin sent the request: what a cookie needs, because browsers add cookies to the requests
 * of any page. Programs that are no browsers send neither header and pass.
 *
 * `Sec-Fetch-Site` is set by the browser alone and compares with the address it shows, so it holds behind proxies that
 * change Host. Browsers leave it out where a page has no TLS; there the host of Origin must be the Host of the request.
 * The scheme is not compared: behind a TLS proxy the service itself sees plain HTTP.
 */
export function isOwnOrigin(c: Context): boolean {
  const origin = c.req.header('origin')
  const site = c.req.header('sec-fetch-site')
  // The origin of sandboxed frames and of redirects from other sites.
  if (origin === 'null') return false
  // 'none': typed in or from a bookmark.
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return origin === undefined || isSameHost(origin, c.req.header('host'))
}

function isSameHost(origin: string, host: string | undefined): boolean {
  const page = parseOrigin(origin)
  if (host === undefined || !page) return false
  // Browsers leave out the default port in both headers, other clients not always.
  const own = parseOrigin(`${page.protocol}//${host}`)
  return own?.host === page.host
}

function isLoopbackOrigin(origin: string): boolean {
  const page = parseOrigin(origin)
  return page !== undefined && isLoopbackHost(page.hostname)
}

/** Undefined for origins other than web pages: files, extensions. */
function parseOrigin(origin: string): URL | undefined {
  if (!/^https?:\/\//i.test(origin) || !URL.canParse(origin)) return undefined
  return new URL(origin)
}

function foreignOrigin(origin: string | undefined): HttpError {
  const page = origin === undefined || origin === 'null' ? 'pages of other sites' : origin.slice(0, 100)
  const msg = `Requests from ${page} are refused. Pages that may call this service are listed in SPOOL_ORIGINS.`
  return new HttpError('forbidden', { loc: ['header', 'origin'], msg, type: 'foreign_origin' })
}
