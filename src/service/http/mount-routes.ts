import { setTimeout as wait } from 'node:timers/promises'
import type { Context, Hono } from 'hono'
import {
  authenticate,
  authenticateBySession,
  claimedUsername,
  hasCredentials,
  requireOwnPage,
  type SessionDirectory,
  type UserDirectory,
  usesSession,
  wrongPassword,
} from './authenticate'
import { BlockPool } from './block-pool'
import { BodyBudget, type BodyLease } from './body-budget'
import type { HttpEnv } from './http-env'
import { HttpError } from './http-error'
import { readRequest } from './incoming-request'
import { clientAddress } from './client-address'
import { preflightResponse } from './origin-check'
import { maxAnonymousBodyBytes } from './read-body'
import { type PublicContext, requireProject, type Route } from './route'
import { type SendOptions, toHttpResponse } from './route-response'
import { ResponseBudget } from './response-budget'
import type { SignInThrottle } from './sign-in-throttle'
import type { User } from './user'

export type MountDeps = SendOptions & {
  users: UserDirectory
  /** Without it no session cookie is accepted. */
  sessions?: SessionDirectory | undefined
  signInThrottle: SignInThrottle
  /** Resolves when what was acknowledged for the project can be read; without it, it always can. */
  settle?: (projectId: string, options: { signal: AbortSignal }) => Promise<void>
  /** For tests; the default fits the memory of a small machine. */
  bodyBudget?: BodyBudget
  responseBudget?: ResponseBudget
}

/**
 * Mounts routes. A request is checked in one order: host, origin, path and method, credentials, media type, size, content,
 * project. The app that `createHttpApp` made checks host and origin.
 */
export function mountRoutes(app: Hono<HttpEnv>, routes: readonly Route[], deps: MountDeps): void {
  const bodyBudget = deps.bodyBudget ?? new BodyBudget()
  const responseBudget = deps.responseBudget ?? new ResponseBudget()
  const blocks = new BlockPool()
  for (const route of routes) {
    app.on(route.method, toHonoPath(route.path), (c) => handleRequest(c, route, { bodyBudget, responseBudget, blocks }, deps))
  }
  for (const [path, methods] of methodsByPath(routes)) {
    app.options(path, (c) =>
      c.req.header('access-control-request-method')
        ? preflightResponse(c, methods)
        : // How the dashboard's connection test asks for an operation that it must not try.
          c.body(null, 204, { allow: methods.join(', '), 'cache-control': 'no-store' }),
    )
    app.all(path, (c) => {
      throw methodNotAllowed(c.req.method, methods)
    })
  }
}

type Budgets = { bodyBudget: BodyBudget; responseBudget: ResponseBudget; blocks: BlockPool }

async function handleRequest(c: Context<HttpEnv>, route: Route, budgets: Budgets, deps: MountDeps): Promise<Response> {
  const { bodyBudget: budget, responseBudget, blocks } = budgets
  const { mediaTypes } = route
  const context: PublicContext = {
    signal: c.req.raw.signal,
    header: (name) => c.req.header(name),
    setHeader: (name, value) => c.header(name, value),
    requireOwnPage: () => requireOwnPage(c),
    authenticate: () => authenticateRequest(c, deps),
    signIn: async (username, password) => {
      const check = () => deps.users.findByCredentials(username, password) ?? wrongPassword()
      return rememberUser(c, await slowFailures(c, deps, check, username))
    },
    slowFailures: (check) => slowFailures(c, deps, check),
  }
  if (route.access === 'public') {
    return await withLease(budget.openAnonymousLease(clientAddress(c)), async ({ reserve }) => {
      const incoming = await readRequest(c, { mediaTypes, limits: { maxBytes: maxAnonymousBodyBytes, reserve } })
      return await toHttpResponse(c, await route.handle(incoming, context), deps)
    })
  }
  const user = await context.authenticate()
  return await withLease(budget.openLease(user.username), async ({ reserve }) => {
    const incoming = await readRequest(c, { mediaTypes, limits: { maxBytes: route.maxBodyBytes, reserve, blocks } })
    const userContext = {
      ...context,
      user,
      reader: { signal: context.signal, share: { user: user.username, projectId: '' } },
      requireProject: (projectId: string) => requireProject(user, projectId),
      settle: async (projectId: string) => await deps.settle?.(projectId, context),
    }
    const env: HttpEnv['Bindings'] | undefined = c.env // undefined where the app is called in memory
    const { outgoing } = env ?? {}
    const holdMemory = (bytes: number) => {
      if (outgoing) responseBudget.hold(user.username, bytes, outgoing)
    }
    try {
      return await toHttpResponse(c, await route.handle(incoming, userContext), deps, holdMemory)
    } finally {
      incoming.body.release()
    }
  })
}

/** The memory of a body is returned when its response begins. */
async function withLease(lease: BodyLease, handle: (lease: BodyLease) => Promise<Response>): Promise<Response> {
  try {
    return await handle(lease)
  } finally {
    lease.release()
  }
}

async function authenticateRequest(c: Context<HttpEnv>, deps: MountDeps): Promise<User> {
  const header = (name: string) => c.req.header(name)
  if (!usesSession(header)) {
    const check = () => authenticate(header, deps.users)
    // A request without credentials guesses nothing.
    if (!hasCredentials(header)) return check()
    return rememberUser(c, await slowFailures(c, deps, check, claimedUsername(header)))
  }
  // Nobody guesses a token, and pages whose session has ended must not slow down sign-ins from their address.
  return rememberUser(c, authenticateBySession(c, deps.sessions))
}

/** What `check` returns. Where it throws, that counts as a failed sign-in and waits if there were many. */
async function slowFailures<T>(
  c: Context<HttpEnv>,
  { signInThrottle }: MountDeps,
  check: () => T,
  username?: string,
): Promise<T> {
  try {
    return check()
  } catch (error) {
    const address = clientAddress(c)
    // '' where the app is called in memory.
    if (address !== '') await wait(signInThrottle.recordFailure({ address, username }))
    throw error
  }
}

/** For the access log, and for the server, which keeps connections of users before others. */
function rememberUser(c: Context<HttpEnv>, user: User): User {
  const env: HttpEnv['Bindings'] | undefined = c.env // undefined where the app is called in memory
  c.set('username', user.username)
  env?.onSignIn?.(user.username)
  return user
}

function methodsByPath(routes: readonly Route[]): Map<string, string[]> {
  const byPath = new Map<string, string[]>()
  for (const { path, method } of routes) {
    const methods = byPath.get(toHonoPath(path)) ?? []
    byPath.set(toHonoPath(path), [...methods, ...(method === 'GET' ? ['GET', 'HEAD'] : [method])])
  }
  return byPath
}

function methodNotAllowed(method: string, allowed: readonly string[]): HttpError {
  const allow = allowed.join(', ')
  const msg = `${method} is not supported here. Supported: ${allow}.`
  return new HttpError('method_not_allowed', { loc: ['method'], msg, type: 'method_not_allowed' }, { allow })
}

export function toHonoPath(path: string): string {
  return path.replaceAll(/\{([a-z_]+)\}/g, ':$1')
}
