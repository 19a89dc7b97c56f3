import type { Problem } from '../../contract/problem'

/** Reasons for a response other than 200, each with its status below. */
export type HttpErrorKind =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'conflict'
  | 'too_large'
  | 'unsupported_media_type'
  | 'misdirected'
  | 'invalid'
  | 'too_many_requests'
  | 'headers_too_large'
  | 'internal'
  | 'bad_gateway'
  | 'unavailable'
  | 'timed_out'

const statusByKind = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  misdirected: 421,
  invalid: 422,
  too_many_requests: 429,
  headers_too_large: 431,
  internal: 500,
  bad_gateway: 502,
  unavailable: 503,
  timed_out: 504,
} as const satisfies Record<HttpErrorKind, number>

/** A handler throws it to send an error response: `problems` become the body, `headers` are added. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly problems: readonly Problem[]

  constructor(
    readonly kind: HttpErrorKind,
    problems: Problem | readonly Problem[],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(kind)
    this.problems = 'loc' in problems ? [problems] : problems
  }

  get status() {
    return statusByKind[this.kind]
  }
}

/** For a failure of the service; what failed is in the log only. */
export function internalError(requestId: string): HttpError {
  const msg = `The service failed. Its log has the reason under request ${requestId}.`
  return new HttpError('internal', { loc: [], msg, type: 'internal_error' })
}
