import type * as z from 'zod/mini'

/** Where a field of a request travels when it is not in the body. */
export type Place = 'path' | 'query'

/**
 * One operation of the wire. The same object types the service's handler, the browser's call and its query key.
 * `response` is the whole response, or one line of it where the operation `streams` (newline-delimited JSON).
 * A path field is written `{name}` in `path`; `places` says which request fields are not in the body.
 */
export type Endpoint<
  Request extends z.core.SomeType = z.core.SomeType,
  Response extends z.core.SomeType = z.core.SomeType,
  Streams extends boolean = boolean,
> = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: `/${string}`
  readonly request: Request
  readonly response: Response
  readonly streams: Streams
  readonly places: Readonly<Record<string, Place>>
}

/**
 * An operation as a caller needs it. Without `request`, only the service validates: the browser then need not load the
 * schema of a request that it writes itself, such as that of the query language.
 */
export type ClientEndpoint<
  Request extends z.core.SomeType = z.core.SomeType,
  Response extends z.core.SomeType = z.core.SomeType,
  Streams extends boolean = boolean,
> = Omit<Endpoint<Request, Response, Streams>, 'request'> & { readonly request?: Request }

/**
 * The operation together with the schema of its requests, as the service needs it.
 *
 * @example
 * route(withRequest(queryCosts, QueryCosts), async (input) => ...)
 */
export function withRequest<Request extends z.core.SomeType, Response extends z.core.SomeType, Streams extends boolean>(
  endpoint: ClientEndpoint<Request, Response, Streams>,
  request: Request,
): Endpoint<Request, Response, Streams> {
  return { ...endpoint, request }
}

type Definition<Request, Response> = {
  method?: Endpoint['method']
  path: Endpoint['path']
  request: Request
  response: Response
  places?: Readonly<Record<string, Place>>
}

/** An operation whose response is one JSON value. */
export function defineEndpoint<Request extends z.core.SomeType, Response extends z.core.SomeType>(
  definition: Definition<Request, Response>,
): Endpoint<Request, Response, false> {
  return { method: 'POST', places: {}, ...definition, streams: false }
}

/** An operation whose response is JSON lines, each of the shape `response`. */
export function defineStream<Request extends z.core.SomeType, Line extends z.core.SomeType>(
  definition: Definition<Request, Line>,
): Endpoint<Request, Line, true> {
  return { method: 'POST', places: {}, ...definition, streams: true }
}
