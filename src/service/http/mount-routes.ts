import type { Context, Hono } from 'hono'
import type { Logger } from 'pino'
import { type core, parse } from 'zod'
import { authenticate, type UserDirectory } from './authenticate'
import { BodyBudget, type BodyLease } from './body-budget'
import { acceptsEncoding, compress, compressStream, minCompressBytes } from './compress'
import type { SignInThrottle } from './sign-in-throttle'
import { type HttpEnv, preflightResponse } from './http-app'
import type { IncomingRequest } from './incoming'
import { toBodyStream, encodeJsonLines, waitForFirst } from './json-lines'
import { maxAnonymousBodyBytes, maxBodyBytes, readBody } from './read-body'
import { HttpError } from './http-error'
import { type RouteResponse, requireProject, type Route } from './route'
import type { User } from './user'

export type MountDeps = {
  users: UserDirectory
  signInThrottle: SignInThrottle
  logger: Logger
  /** Parses every answer by its schema before it is sent: for tests, so that the wire cannot drift from the contract. */
  validateResponses: boolean
  /** What all requests together may hold of bodies. */
  bodyBudget?: BodyBudget
}

/** Mounts operations. Each request is judged in one order: route, credentials, media type, size, content, project. */
export function mountRoutes(app: Hono<HttpEnv>, routes: readonly Route[], deps: MountDeps): void {
  const bodies = deps.bodyBudget ?? new BodyBudget()
  for (const route of routes) {
    app.on(route.method, honoPath(route.path), async (c) => {
      const hold = bodies.lease()
      try {
        return await answerTo(c, route, deps, hold)
      } finally {
        hold.release()
      }
    })
  }
  for (const path of new Set(routes.map((route) => honoPath(route.path)))) {
    const methods = routes.filter((route) => honoPath(route.path) === path).flatMap(({ method }) => methodsServedBy(method))
    app.all(path, (c) => {
      if (c.req.method === 'OPTIONS' && c.req.header('access-control-request-method')) return preflightResponse(c, methods)
      throw new HttpError(
        'method_not_allowed',
        {
          loc: ['method'],
          msg: `${c.req.method} is not supported here. Supported: ${methods.join(', ')}.`,
          type: 'method_not_allowed',
        },
        { allow: methods.join(', ') },
      )
    })
  }
}

function honoPath(path: string): string {
  return path.replaceAll(/\{([a-z_]+)\}/g, ':$1')
}

function methodsServedBy(method: Route['method']): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}

async function answerTo(c: Context<HttpEnv>, route: Route, deps: MountDeps, hold: BodyLease): Promise<Response> {
  const context = {
    signal: c.req.raw.signal,
    requestId: c.get('requestId'),
    header: (name: string) => c.req.header(name),
  }
  if (route.access === 'anyone') return await send(c, await route.answer(await incomingOf(c, route, hold), context), deps)
  const user = await signedInUser(c, deps)
  const answer = await route.answer(await incomingOf(c, route, hold), {
    ...context,
    user,
    requireProject: (projectId) => requireProject(user, projectId),
  })
  return await send(c, answer, deps)
}

async function signedInUser(c: Context<HttpEnv>, { users, signInThrottle }: MountDeps): Promise<User> {
  try {
    return authenticate((name) => c.req.header(name), users)
  } catch (error) {
    const env: HttpEnv['Bindings'] | undefined = c.env // undefined where the app is called in memory
    const address = env?.incoming?.socket.remoteAddress
    if (address !== undefined) await signInThrottle.delayFailure(address)
    throw error
  }
}

async function incomingOf(c: Context<HttpEnv>, route: Route, hold: BodyLease): Promise<IncomingRequest> {
  const contentType = c.req.header('content-type') ?? ''
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const hasBody = route.mediaTypes.length > 0
  const limit = route.access === 'anyone' ? maxAnonymousBodyBytes : maxBodyBytes
  if (hasBody) requireMediaType(mediaType, route.mediaTypes, c.req.header('origin') !== undefined)
  return {
    path: c.req.param(),
    query: new URL(c.req.url).searchParams,
    mediaType,
    contentType,
    body: hasBody ? await readBody(c.req.raw, hold.reserve, limit) : new Uint8Array(),
  }
}

/**
 * A body without a named type is read as the first of `accepted`, because clients in the field send JSON so; but not
 * from a browser's page, where leaving the type out is how a foreign page posts without asking.
 */
function requireMediaType(mediaType: string, accepted: readonly string[], isFromPage: boolean): void {
  if (accepted.includes(mediaType)) return
  if (mediaType === '' && !isFromPage) return
  if (accepted.includes('application/json') && /^application\/[a-z0-9.!#$&^_-]+\+json$/.test(mediaType)) return
  throw new HttpError('unsupported_media_type', {
    loc: ['header', 'content-type'],
    msg: `Unsupported media type. Supported: ${accepted.join(', ')}.`,
    type: 'unsupported_media_type',
  })
}

async function send(c: Context<HttpEnv>, answer: RouteResponse, deps: MountDeps): Promise<Response> {
  const isCompressed = acceptsEncoding(c.req.header('accept-encoding'), 'gzip')
  const headers = { 'cache-control': 'no-store', vary: 'accept-encoding' }
  const encoding = { 'content-encoding': 'gzip' }
  switch (answer.kind) {
    case 'json': {
      check(answer.schema, [answer.value], deps)
      const bytes = new TextEncoder().encode(JSON.stringify(answer.value))
      const isWorthIt = isCompressed && bytes.length >= minCompressBytes
      const sent = isWorthIt ? await compress(bytes) : bytes
      return c.body(sent, 200, { ...headers, ...(isWorthIt && encoding), 'content-type': 'application/json' })
    }
    case 'lines': {
      const { isEmpty, items } = await waitForFirst(encodeJsonLines(checked(answer, deps)))
      const type = { 'content-type': 'application/jsonl' }
      if (isEmpty) return c.body('', 200, { ...headers, ...type })
      const body = toBodyStream(isCompressed ? compressStream(items) : items, (err) => {
        deps.logger.error({ requestId: c.get('requestId'), path: c.req.path, err }, 'an answer broke off')
      })
      return c.body(body, 200, { ...headers, ...type, ...(isCompressed && encoding) })
    }
    case 'bytes':
      return c.body(answer.bytes, 200, { ...headers, 'content-type': answer.mediaType })
  }
}

async function* checked(answer: Extract<RouteResponse, { kind: 'lines' }>, deps: MountDeps) {
  for await (const batch of answer.batches) {
    check(answer.schema, batch, deps)
    yield batch
  }
}

function check(schema: core.$ZodType, values: readonly unknown[], { validateResponses }: MountDeps): void {
  if (!validateResponses) return
  for (const value of values) parse(schema, value)
}
