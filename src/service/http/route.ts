import type * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint'
import { type IncomingRequest, parseInput } from './incoming'
import { HttpError } from './http-error'
import { canAccessProject, type User } from './user'

/** What a handler may know of the request besides its input. */
export type PublicContext = {
  /** Aborted when the client goes away; hand it to the store so that the engine stops as well. */
  readonly signal: AbortSignal
  readonly requestId: string
  readonly header: (name: string) => string | undefined
}

export type RequestContext = PublicContext & {
  readonly user: User
  /** Refuses (403) a project that is not the user's. A request field called `project_id` has been judged before the handler. */
  readonly requireProject: (projectId: string) => void
}

/** What a route answers with; `schema` is what the value, or each line, promises to be. */
export type RouteResponse =
  | { kind: 'json'; value: unknown; schema: z.core.$ZodType }
  | { kind: 'lines'; batches: AsyncIterable<readonly unknown[]>; schema: z.core.$ZodType }
  | { kind: 'bytes'; bytes: Uint8Array<ArrayBuffer>; mediaType: string }

/** One operation, ready to be mounted. */
export type Route = {
  readonly method: Endpoint['method']
  readonly path: string
  /** Media types of the bodies it reads, `[]` for an operation without a body. */
  readonly mediaTypes: readonly string[]
} & (
  | { readonly access: 'user'; answer(incoming: IncomingRequest, context: RequestContext): Promise<RouteResponse> }
  | { readonly access: 'anyone'; answer(incoming: IncomingRequest, context: PublicContext): Promise<RouteResponse> }
)

const jsonMediaTypes = ['application/json']

function mediaTypesOf(endpoint: Endpoint): readonly string[] {
  return endpoint.method === 'GET' || endpoint.method === 'DELETE' ? [] : jsonMediaTypes
}

/** An operation that answers with one JSON value, for users who have signed in. */
export function route<Request extends z.core.$ZodType, Response extends z.core.$ZodType>(
  endpoint: Endpoint<Request, Response, false>,
  handle: (input: z.output<Request>, context: RequestContext) => Promise<z.input<Response>>,
): Route {
  return {
    method: endpoint.method,
    path: endpoint.path,
    mediaTypes: mediaTypesOf(endpoint),
    access: 'user',
    answer: async (incoming, context) => {
      const input = parseInput(endpoint, incoming)
      requireOwnProject(input, context)
      return { kind: 'json', value: await handle(input, context), schema: endpoint.response }
    },
  }
}

/**
 * An operation that answers with JSON lines. The first batch is awaited before the first byte is sent, so whatever
 * fails until then is answered as a problem; a later failure breaks the connection off.
 */
export function streamRoute<Request extends z.core.$ZodType, Line extends z.core.$ZodType>(
  endpoint: Endpoint<Request, Line, true>,
  handle: (input: z.output<Request>, context: RequestContext) => AsyncIterable<readonly z.input<Line>[]>,
): Route {
  return {
    method: endpoint.method,
    path: endpoint.path,
    mediaTypes: mediaTypesOf(endpoint),
    access: 'user',
    answer: async (incoming, context) => {
      const input = parseInput(endpoint, incoming)
      requireOwnProject(input, context)
      return { kind: 'lines', batches: handle(input, context), schema: endpoint.response }
    },
  }
}

/** An operation that needs no credentials. */
export function publicRoute<Request extends z.core.$ZodType, Response extends z.core.$ZodType>(
  endpoint: Endpoint<Request, Response, false>,
  handle: (input: z.output<Request>, context: PublicContext) => Promise<z.input<Response>>,
): Route {
  return {
    method: endpoint.method,
    path: endpoint.path,
    mediaTypes: mediaTypesOf(endpoint),
    access: 'anyone',
    answer: async (incoming, context) => ({
      kind: 'json',
      value: await handle(parseInput(endpoint, incoming), context),
      schema: endpoint.response,
    }),
  }
}

/** An operation whose body is not the JSON of an endpoint: OTLP, files. The body arrives decompressed and within the limit. */
export function rawRoute(
  operation: { method: Endpoint['method']; path: `/${string}`; mediaTypes: readonly string[] },
  handle: (incoming: IncomingRequest, context: RequestContext) => Promise<RouteResponse>,
): Route {
  return { ...operation, access: 'user', answer: handle }
}

export function requireProject(user: User, projectId: string): void {
  if (canAccessProject(user, projectId)) return
  throw new HttpError('forbidden', {
    loc: ['header', 'authorization'],
    msg: `The user '${user.username}' has no access to this project.`,
    type: 'forbidden',
  })
}

function requireOwnProject(input: unknown, context: RequestContext): void {
  if (typeof input === 'object' && input !== null && 'project_id' in input && typeof input.project_id === 'string') {
    context.requireProject(input.project_id)
  }
}
