import type { Context } from 'hono'
import * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint'
import { isJsonObject } from '../../contract/json-value'
import { maxProblems } from '../../contract/schema'
import { toProblems } from '../../contract/to-problems'
import { BodyParts } from './body-parts'
import type { HttpEnv } from './http-env'
import { HttpError } from './http-error'
import { type JsonLimits, maxBodyDepth, maxBodyValues, maxQueryValues, parseJson } from './parse-json'
import { type BodyLimits, readBody } from './read-body'

/** A request as a route gets it: decompressed, within the size limit, not yet parsed. */
export type IncomingRequest = {
  /** `{name}` parts of the path, percent-decoded. */
  readonly path: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The media type in lower case, without parameters; '' without a Content-Type header. */
  readonly mediaType: string
  /** The whole Content-Type header. */
  readonly contentType: string
  readonly body: BodyParts
}

type ReadOptions = {
  /** `[]`: the body is not read. */
  mediaTypes: readonly string[]
  /** For the body. */
  limits: BodyLimits
}

/** Throws an `HttpError` for a wrong media type or encoding (415), a large body (413), a slow one (408), too little memory (429). */
export async function readRequest(c: Context<HttpEnv>, { mediaTypes, limits }: ReadOptions): Promise<IncomingRequest> {
  const contentType = c.req.header('content-type') ?? ''
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const hasBody = mediaTypes.length > 0
  if (hasBody) requireMediaType(mediaType, mediaTypes, c.req.header('origin') !== undefined)
  return {
    path: c.req.param(),
    query: new URL(c.req.url).searchParams,
    mediaType,
    contentType,
    body: hasBody ? await readBody(c, limits) : new BodyParts(),
  }
}

/**
 * A body without a media type is read as the first of `accepted`, because some clients send JSON that way. Not from a web
 * page: a cross-origin request without a media type needs no preflight, so any page could send it.
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

/** Merges path, query and body into one object and parses it. Throws an `HttpError` that names every problem. */
export function parseInput<Request extends z.core.$ZodType>(
  endpoint: Pick<Endpoint<Request>, 'method' | 'places' | 'request'>,
  { path, query, body }: Pick<IncomingRequest, 'path' | 'query' | 'body'>,
): z.output<Request> {
  return parseFields(endpoint, { path, query, bytes: body.join() }, { maxValues: maxQueryValues })
}

/**
 * The same for a large body, and the parts of the path that its operation has. For preparations. A caller that
 * passes a larger `maxDepth` checks the depth of the parts of the body itself.
 */
export function parseBody<Request extends z.core.$ZodType>(
  endpoint: Pick<Endpoint<Request>, 'method' | 'places' | 'request'>,
  bytes: Uint8Array<ArrayBuffer>,
  path: IncomingRequest['path'] = {},
  maxDepth = maxBodyDepth,
): z.output<Request> {
  return parseFields(endpoint, { path, query: new URLSearchParams(), bytes }, { maxValues: maxBodyValues, maxDepth })
}

function parseFields<Request extends z.core.$ZodType>(
  endpoint: Pick<Endpoint<Request>, 'method' | 'places' | 'request'>,
  { path, query, bytes }: Pick<IncomingRequest, 'path' | 'query'> & { bytes: Uint8Array },
  limits: JsonLimits,
): z.output<Request> {
  const hasBody = endpoint.method === 'POST' || endpoint.method === 'PUT'
  const outsideBody = Object.entries(endpoint.places).flatMap(([name, place]) => {
    const value = place === 'path' ? path[name] : queryValue(query, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  const body = hasBody ? parseJson(bytes, limits) : Object.fromEntries(queryEntries(query))
  const input: unknown = isJsonObject(body) && outsideBody.length > 0 ? { ...body, ...Object.fromEntries(outsideBody) } : body
  const parsed = z.safeParse(endpoint.request, input)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.slice(0, maxProblems).flatMap((issue) => {
    const place = endpoint.places[String(issue.path[0])] ?? (hasBody ? 'body' : 'query')
    return toProblems([issue], input, [place])
  })
  throw new HttpError('invalid', problems)
}

function queryEntries(query: URLSearchParams) {
  return [...new Set(query.keys())].map((name) => [name, queryValue(query, name)] as const)
}

/** A repeated parameter stays a list, so that a schema for text rejects it instead of silently taking the first. */
function queryValue(query: URLSearchParams, name: string): string | string[] | undefined {
  const values = query.getAll(name)
  return values.length > 1 ? values : values[0]
}
