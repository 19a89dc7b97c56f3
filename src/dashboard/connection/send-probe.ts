import { ApiError, ExposedPasswordError } from '../client/api-error'
import { type Connection, wouldExposePassword } from '../client/connection'
import { type AnyEndpoint, buildRequest, sendRequest, toApiError } from '../client/fetch-response'

type Request = { method: string; path: string; url: string; body?: string | undefined }

/** The server sends requests on to another address. Browsers do not send a password along to another host. */
export class RedirectError extends ApiError {
  constructor(
    request: { method: string; path: string },
    /** Undefined where the browser does not tell. */
    readonly target: string | undefined,
  ) {
    super('The server sends this request on to another address.', request)
  }
}

/** Calls an operation and follows no redirect. Returns a successful response; throws an `ApiError` otherwise. */
export async function callOperation(
  endpoint: AnyEndpoint,
  input: Record<string, unknown>,
  connection: Connection,
  signal: AbortSignal,
): Promise<Response> {
  const { method, path } = endpoint
  const response = await sendProbe({ method, path, ...buildRequest(endpoint, input, connection.baseUrl) }, connection, signal)
  if (!response.ok) throw await toApiError(response, { method, path })
  return response
}

/** Sends any request and follows no redirect. Returns the response, whatever its status. */
export async function sendProbe(request: Request, connection: Connection, signal: AbortSignal): Promise<Response> {
  if (wouldExposePassword(connection)) throw new ExposedPasswordError(request)
  const response = await sendRequest({ ...request, redirect: 'manual' }, { connection, signal })
  if (response.type === 'opaqueredirect') throw new RedirectError(request, await findRedirectTarget(request.url, signal))
  return response
}

/** Where a redirect leads, without credentials. The browser tells only if the target allows this page to read it. */
async function findRedirectTarget(url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const response = await fetch(url, { credentials: 'omit', cache: 'no-store', signal })
    return response.redirected ? response.url : undefined
  } catch {
    return undefined
  }
}
