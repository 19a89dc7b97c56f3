import * as z from 'zod/mini'
import type { ClientEndpoint } from '../../contract/endpoint'
import { parseRetryAfterMs, sessionUserHeader } from '../../contract/http'
import {
  AbortedError,
  type ApiError,
  BusyError,
  ExposedPasswordError,
  ForbiddenError,
  NotFoundError,
  noWords,
  ValidationError,
  StatusError,
  UnauthorizedError,
  UnreachableError,
} from './api-error'
import { buildAuthorizationHeader, type Connection, usesSession, wouldExposePassword } from './connection'

/** Any operation of the contract. */
export type AnyEndpoint = ClientEndpoint<z.core.$ZodType, z.core.$ZodType>

export type RequestOptions = {
  connection: Connection
  signal?: AbortSignal | undefined
  /** Additional headers, such as `Idempotency-Key`. */
  headers?: Record<string, string> | undefined
  /** The request goes on when its page is left. Of all such requests the bodies that are under way may have 64 KiB. */
  keepalive?: boolean | undefined
}

/** Sends the request of an operation. Returns a successful response with its body unread; throws an `ApiError` otherwise. */
export async function fetchResponse(
  endpoint: AnyEndpoint,
  input: unknown,
  { connection, signal, headers, keepalive = false }: RequestOptions,
): Promise<Response> {
  const request = { method: endpoint.method, path: endpoint.path }
  const validated = validateInput(endpoint, input)
  if (!validated.success) {
    // Rare, and 1 kB: it is part of the tools, which load after the first rows.
    const { toProblems } = await import('../../contract/to-problems')
    const problems = toProblems(validated.error.issues, input, ['body'])
    throw new ValidationError(request, { problems, text: problems.map(({ msg }) => msg).join(' ') })
  }
  if (wouldExposePassword(connection)) throw new ExposedPasswordError(request)
  const { url, body } = buildRequest(endpoint, validated.data, connection.baseUrl)
  const sent = { method: endpoint.method, path: endpoint.path, url, body }
  const response = await sendRequest(sent, { connection, signal, headers, keepalive })
  if (!response.ok) throw await toApiError(response, request)
  return response
}

type SentRequest = { method: string; path: string; url: string; body?: string | undefined; redirect?: RequestRedirect }

/** Sends a request with the credentials of a connection. Returns every response; without one it throws an `ApiError`. */
export async function sendRequest(
  { method, path, url, body, redirect = 'follow' }: SentRequest,
  { connection, signal, headers, keepalive = false }: RequestOptions,
): Promise<Response> {
  const isSession = usesSession(connection)
  const authorization = buildAuthorizationHeader(connection)
  try {
    return await fetch(url, {
      method,
      headers: {
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(isSession
          ? connection.username && { [sessionUserHeader]: encodeURIComponent(connection.username) }
          : authorization && { authorization }),
      },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
      redirect,
      keepalive,
      // Without a session no cookies are sent, and a 401 does not make the browser show its own password dialog.
      credentials: isSession ? 'same-origin' : 'omit',
      cache: 'no-store',
    })
  } catch (cause) {
    const request = { method, path }
    const isOwnServer = connection.baseUrl === ''
    throw signal?.aborted ? new AbortedError(request, { cause }) : new UnreachableError(request, { cause, isOwnServer })
  }
}

/** Parses the input by the schema of the operation. An operation without a schema leaves the validation to the service. */
export function validateInput({ request }: AnyEndpoint, input: unknown) {
  return request ? z.safeParse(request, input) : { success: true as const, data: input }
}

/** The address and body of a request, without credentials: for sending it and for showing it. */
export function buildRequest(endpoint: AnyEndpoint, input: unknown, baseUrl: string): { url: string; body: string | undefined } {
  const rest = { ...(input as Record<string, unknown>) } // every request schema of the contract is an object
  let path: string = endpoint.path
  const search = new URLSearchParams()
  for (const [name, place] of Object.entries(endpoint.places)) {
    const value = rest[name]
    delete rest[name]
    if (value === undefined) continue
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(text))
    else search.set(name, text)
  }
  const query = search.size > 0 ? `?${search.toString()}` : ''
  const hasBody = endpoint.method === 'POST' || endpoint.method === 'PUT'
  return { url: `${baseUrl.replace(/\/+$/, '')}${path}${query}`, body: hasBody ? JSON.stringify(rest) : undefined }
}

/** The error of a response with an error status. */
export async function toApiError(response: Response, request: { method: string; path: string }): Promise<ApiError> {
  // A body that breaks off says nothing; the status does.
  const body = await response.text().catch(() => '')
  // 1 kB that no first rows need. Where it cannot be loaded, our own words must do.
  const words = await import('./server-words').then(
    ({ readServerWords }) => readServerWords(body),
    () => noWords,
  )
  switch (response.status) {
    case 401:
      return new UnauthorizedError(request, words)
    case 403:
      return new ForbiddenError(request, words)
    case 404:
      return new NotFoundError(request, words)
    case 400:
    case 422:
      return new ValidationError(request, words, response.status)
    case 429:
    case 503:
      return new BusyError(request, response.status, parseRetryAfterSeconds(response), words)
    default:
      return new StatusError(request, response.status, words)
  }
}

function parseRetryAfterSeconds({ headers }: Response): number | undefined {
  const ms = parseRetryAfterMs(headers.get('retry-after'), Date.now())
  return ms === undefined ? undefined : Math.ceil(ms / 1000)
}
