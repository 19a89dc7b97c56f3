import type * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint'
import type { Share } from '../lib/share'
import { HttpError } from './http-error'
import { type IncomingRequest, parseInput } from './incoming-request'
import { maxBodyBytes, maxQueryBodyBytes } from './read-body'
import type { RouteResponse } from './route-response'
import type { ServerSentEvent } from './server-sent-events'
import { canAccessProject, type User } from './user'

/** What a handler gets besides its input. */
export type PublicContext = {
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
  readonly header: (name: string) => string | undefined
  readonly setHeader: (name: string, value: string) => void
  /** Throws 403 for a request that a page of another origin may have sent: what its session cookie asks for does not count. */
  readonly requireOwnPage: () => void
  /** The user that the headers identify. Throws 401. */
  readonly authenticate: () => Promise<User>
  /** The user with this password; a wrong one waits like every failed sign-in. Throws 401. */
  readonly signIn: (username: string, password: string) => Promise<User>
  /** What `check` of another secret returns; where it throws, that waits like every failed sign-in. */
  readonly slowFailures: <T>(check: () => T) => Promise<T>
}

export type RequestContext = PublicContext & {
  readonly user: User
  /**
   * Options for the store: a statement ends with its request, and waits its turn among those of other users. Its project is
   * the input's `project_id`; where the project is found elsewhere, use `readerOfProject`.
   */
  readonly reader: RequestReader
  /** Throws 403 for a project the user may not access. An input's `project_id` is checked before the handler runs. */
  readonly requireProject: (projectId: string) => void
  /** Resolves when what was acknowledged for the project can be read. A handler that `readsCalls` of a `project_id` runs after. */
  readonly settle: (projectId: string) => Promise<void>
}

/** Whose statements a request runs, and until when. */
export type RequestReader = { readonly signal: AbortSignal; readonly share: Share }

type Operation = {
  readonly method: Endpoint['method']
  readonly path: `/${string}`
  /** Accepted types of the body, `[]` for an operation without a body. */
  readonly mediaTypes: readonly string[]
  readonly maxBodyBytes: number
}

/** One operation, ready to be mounted. `public`: without credentials. */
export type Route = Operation &
  (
    | { readonly access: 'user'; handle(incoming: IncomingRequest, context: RequestContext): Promise<RouteResponse> }
    | { readonly access: 'public'; handle(incoming: IncomingRequest, context: PublicContext): Promise<RouteResponse> }
  )

export type RouteOptions = {
  /** False where the answer depends on no call: then it need not wait for calls to be inserted. */
  readsCalls?: boolean
}

/**
 * An operation that returns one JSON value to a signed-in user.
 *
 * @example route(createQueue, async (input, { user }) => ({ id: await queues.create(input, user.username) }))
 */
export function route<Request extends z.core.$ZodType, Response extends z.core.$ZodType>(
  endpoint: Endpoint<Request, Response, false>,
  handle: (input: z.output<Request>, context: RequestContext) => Promise<z.input<Response>>,
  options: RouteOptions = {},
): Route {
  return {
    ...toOperation(endpoint),
    access: 'user',
    handle: async (incoming, context) => {
      const input = parseInput(endpoint, incoming)
      const entered = await enterProject(input, context, options)
      return { kind: 'json', value: await handle(input, entered), schema: endpoint.response }
    },
  }
}

/**
 * An operation that streams JSON lines to a signed-in user. Errors up to the first batch become an error response; a later
 * error breaks the connection.
 */
export function streamRoute<Request extends z.core.$ZodType, Line extends z.core.$ZodType>(
  endpoint: Endpoint<Request, Line, true>,
  handle: (input: z.output<Request>, context: RequestContext) => AsyncIterable<readonly z.input<Line>[]>,
): Route {
  return {
    ...toOperation(endpoint),
    access: 'user',
    handle: async (incoming, context) => {
      const input = parseInput(endpoint, incoming)
      return { kind: 'lines', batches: handle(input, await enterProject(input, context)), schema: endpoint.response }
    },
  }
}

/** An operation that sends events to a signed-in user. What `open` throws becomes an error response. */
export function eventRoute<Request extends z.core.$ZodType, Response extends z.core.$ZodType>(
  endpoint: Endpoint<Request, Response, false>,
  open: (input: z.output<Request>, context: RequestContext) => Promise<AsyncIterable<ServerSentEvent>>,
): Route {
  return {
    ...toOperation(endpoint),
    access: 'user',
    handle: async (incoming, context) => {
      const input = parseInput(endpoint, incoming)
      const entered = await enterProject(input, context)
      return { kind: 'events', open: async () => await open(input, entered) }
    },
  }
}

/** An operation that needs no credentials. */
export function publicRoute<Request extends z.core.$ZodType, Response extends z.core.$ZodType>(
  endpoint: Endpoint<Request, Response, false>,
  handle: (input: z.output<Request>, context: PublicContext) => Promise<z.input<Response>>,
): Route {
  return {
    ...toOperation(endpoint),
    access: 'public',
    handle: async (incoming, context) => {
      const value = await handle(parseInput(endpoint, incoming), context)
      return { kind: 'json', value, schema: endpoint.response }
    },
  }
}

/** An operation whose body may be large: it is no input yet, so that a `Preparer` can parse it off the event loop. */
export function largeBodyRoute(
  endpoint: Endpoint,
  handle: (incoming: IncomingRequest, context: RequestContext) => Promise<RouteResponse>,
): Route {
  return { ...toOperation(endpoint), maxBodyBytes, access: 'user', handle }
}

/** An operation that reads its body itself, because it is not the JSON of an endpoint: OTLP, files. */
export function rawRoute(
  operation: Operation,
  handle: (incoming: IncomingRequest, context: RequestContext) => Promise<RouteResponse>,
): Route {
  return { ...operation, access: 'user', handle }
}

export function requireProject(user: User, projectId: string): void {
  if (canAccessProject(user, projectId)) return
  throw new HttpError('forbidden', {
    loc: ['header', 'authorization'],
    msg: `The user '${user.username}' has no access to this project.`,
    type: 'forbidden',
  })
}

function toOperation({ method, path }: Endpoint): Operation {
  const mediaTypes = method === 'GET' || method === 'DELETE' ? [] : ['application/json']
  return { method, path, mediaTypes, maxBodyBytes: maxQueryBodyBytes }
}

/** The reader of a request whose project is not `project_id` of its input. */
export function readerOfProject({ reader, user }: Pick<RequestContext, 'reader' | 'user'>, projectId: string): RequestReader {
  return { ...reader, share: { user: user.username, projectId } }
}

/** The context of an input with a `project_id`. Throws 403 where the user may not access the project. */
async function enterProject(
  input: unknown,
  context: RequestContext,
  { readsCalls = true }: RouteOptions = {},
): Promise<RequestContext> {
  if (typeof input !== 'object' || input === null || !('project_id' in input)) return context
  if (typeof input.project_id !== 'string') return context
  context.requireProject(input.project_id)
  if (readsCalls) await context.settle(input.project_id)
  return { ...context, reader: readerOfProject(context, input.project_id) }
}
