import type { Problem } from '../../contract/problem'

type Request = { method: string; path: string }

/** A call that brought no usable answer. One class a cause, so that nobody reads message text to tell them apart. */
export abstract class ApiError extends Error {
  readonly at = new Date()

  constructor(
    message: string,
    readonly request: Request,
    readonly status?: number,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = new.target.name
  }

  /** Whether the same call may succeed a moment later. */
  get isTransient(): boolean {
    return false
  }

  /** What helps whoever has to look into it; never the credentials. */
  get details(): string {
    const { method, path } = this.request
    const cause = this.cause instanceof Error ? [`cause: ${this.cause.message}`] : []
    const status = this.status === undefined ? [] : [`status: ${this.status}`]
    return [`${method} ${path}`, ...status, `${this.name}: ${this.message}`, ...cause, `at: ${this.at.toISOString()}`].join('\n')
  }
}

/** No answer at all. The browser does not say whether the server is down, the name wrong, or CORS forbids reading it. */
export class UnreachableError extends ApiError {
  constructor(request: Request, options?: ErrorOptions) {
    super(
      'No answer. The server may be down or its address wrong, or it does not allow this page to read its answers (CORS); the browser does not tell these apart.',
      request,
      undefined,
      options,
    )
  }
  override get isTransient() {
    return true
  }
}

/** Refused here, before anything was sent: the password would cross a network readable by others. */
export class ExposedPasswordError extends ApiError {
  constructor(request: Request) {
    super('Not sent: a password over plain http to another host can be read on the way. Use https.', request)
  }
}

/** 401: the credentials are missing or wrong. */
export class UnauthorizedError extends ApiError {
  constructor(request: Request, message = 'The username or password was not accepted.') {
    super(message, request, 401)
  }
}

/** 403: a known user, but not for this project. */
export class ForbiddenError extends ApiError {
  constructor(request: Request, message = 'This user may not read this project.') {
    super(message, request, 403)
  }
}

/** 404: the thing, or on an older server the operation, does not exist. */
export class NotFoundError extends ApiError {
  constructor(request: Request, message = 'The server does not know this operation. It may be older than this dashboard.') {
    super(message, request, 404)
  }
}

/** 422: the server, or this page before sending, found the request wrong. */
export class ValidationError extends ApiError {
  constructor(
    request: Request,
    readonly problems: readonly Problem[],
  ) {
    super(problems.map(({ msg }) => msg).join(' ') || 'The server refused the request.', request, 422)
  }

  override get details() {
    return [super.details, ...this.problems.map(({ loc, msg, type }) => `${loc.join('.')}: ${msg} (${type})`)].join('\n')
  }
}

/** 429 or 503: asked to come back later. */
export class BusyError extends ApiError {
  constructor(
    request: Request,
    status: number,
    readonly retryAfterSeconds: number | undefined,
  ) {
    const later = retryAfterSeconds === undefined ? '' : ` It asks to be called again in ${retryAfterSeconds} s.`
    super(`The server is too busy to answer.${later}`, request, status)
  }
  override get isTransient() {
    return true
  }
}

/** Any other status that is not a success. */
export class StatusError extends ApiError {
  constructor(request: Request, status: number, message: string) {
    super(message || `The server answered with status ${status}.`, request, status)
  }
}

/** A success whose content is not what the wire says: a proxy's page, another service, a newer server. */
export class ResponseSchemaError extends ApiError {
  constructor(request: Request, status: number, what: string, options?: ErrorOptions) {
    super(`The answer is not what this operation answers with: ${what}`, request, status, options)
  }
}

/** The connection ended in the middle of an answer; what came before is good. */
export class StreamInterruptedError extends ApiError {
  constructor(request: Request, options?: ErrorOptions) {
    super('The connection ended before the answer was complete.', request, 200, options)
  }
  override get isTransient() {
    return true
  }
}

/** Given up on this side, by the person or because nothing shows the answer any more. */
export class AbortedError extends ApiError {
  constructor(request: Request, options?: ErrorOptions) {
    super('Stopped.', request, undefined, options)
  }
}
