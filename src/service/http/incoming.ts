import * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint'
import { toProblems } from '../../contract/to-problems'
import { parseJson } from './parse-json'
import { HttpError } from './http-error'
import { isJsonObject } from '../../contract/json-value'

/** A request as a route reads it: decompressed, within the limit, not yet parsed. */
export type IncomingRequest = {
  /** `{name}` parts of the path, percent-decoded. */
  readonly path: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The media type without parameters, in lower case; '' where none was named. */
  readonly mediaType: string
  /** The whole Content-Type header. */
  readonly contentType: string
  readonly body: Uint8Array<ArrayBuffer>
}

/** Path, query and body merged into the one request object of an endpoint and parsed. Throws a `Refusal` that names every problem. */
export function parseInput<Request extends z.core.$ZodType>(
  endpoint: Pick<Endpoint<Request>, 'method' | 'places' | 'request'>,
  incoming: IncomingRequest,
): z.output<Request> {
  const hasBody = endpoint.method === 'POST' || endpoint.method === 'PUT'
  const elsewhere = Object.entries(endpoint.places).flatMap(([name, place]) => {
    const value = place === 'path' ? incoming.path[name] : queryValue(incoming.query, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  const body = hasBody ? parseJson(incoming.body) : Object.fromEntries(queryEntries(incoming.query))
  const input: unknown = isJsonObject(body) && elsewhere.length > 0 ? { ...body, ...Object.fromEntries(elsewhere) } : body
  const parsed = z.safeParse(endpoint.request, input)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.flatMap((issue) => {
    const place = endpoint.places[String(issue.path[0])] ?? (hasBody ? 'body' : 'query')
    return toProblems([issue], input, [place])
  })
  throw new HttpError('invalid', problems)
}

function queryEntries(query: URLSearchParams) {
  return [...new Set(query.keys())].map((name) => [name, queryValue(query, name)] as const)
}

/** A parameter that is repeated stays a list, so that a schema which wants text refuses it instead of picking one. */
function queryValue(query: URLSearchParams, name: string): string | string[] | undefined {
  const values = query.getAll(name)
  return values.length > 1 ? values : values[0]
}
