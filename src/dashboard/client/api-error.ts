import type { Problem } from '../../contract/problem'

type Request = { method: string; path: string }

/** A request without a usable response. Each cause has its own class, so that nobody has to compare message texts. */
export abstract class ApiError extends Error {
  readonly failedAt = new Date()

  constructor(
    message: string,
    readonly request: Request,
    readonly status?: number,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = new.target.name
  }

  /** Whether the same request may succeed a moment later. */
  get isTransient(): boolean {
    return false
  }

  /** A text for a bug report. It never contains the credentials. */
  get details(): string {
    const { method, path } = this.request
    const cause = this.cause instanceof Error ? [`cause: ${this.cause.message}`] : []
    const status = this.status === undefined ? [] : [`status: ${this.status}`]
    return [`${method} ${path}`, ...status, `${this.name}: ${this.message}`, ...cause, `at: ${this.failedAt.toISOString()}`].join(
      '\n',
    )
  }
}

/** No response. The browser does not say whether the server is down, the address is wrong, or CORS forbids reading it. */
export class UnreachableError extends ApiError {
  constructor(request: Request, options?: ErrorOptions) {
    super(
      'No response. The server may be down, its address may be wrong, or it does not allow this page to read its responses (CORS). The browser does not tell these apart.',
      request,
      undefined,
      options,
    )
  }
  override get isTransient() {
    return true
  }
}

/** Not sent: the password would cross a network where others can read it. */
export class ExposedPasswordError extends ApiError {
  constructor(request: Request) {
    super('Not sent: others on the network can read a password that goes to another host over plain http. Use https.', request)
  }
}

/** 401: the credentials are missing or wrong. */
export class UnauthorizedError extends ApiError {
  constructor(request: Request, message = 'The username or password was not accepted.') {
    super(message, request, 401)
  }
}

/** 403: the user is known, but has no access to this project. */
export class ForbiddenError extends ApiError {
  constructor(request: Request, message = 'This user has no access to this project.') {
    super(message, request, 403)
  }
}

/** 404: the requested thing does not exist, or an older server does not have the operation. */
export class NotFoundError extends ApiError {
  constructor(request: Request, message = 'The server does not know this operation. It may be older than this dashboard.') {
    super(message, request, 404)
  }
}

/** 422: the request is invalid. The client throws it too, before it sends an invalid request. */
export class ValidationError extends ApiError {
  constructor(
    request: Request,
    readonly problems: readonly Problem[],
  ) {
    super(problems.map(({ msg }) => msg).join(' ') || 'The server rejected the request.', request, 422)
  }

  override get details() {
    return [super.details, ...this.problems.map(({ loc, msg, type }) => `${loc.join('.')}: ${msg} (${type})`)].join('\n')
  }
}

/** 429 or 503: the server asks to try again later. */
export class BusyError extends ApiError {
  constructor(
    request: Request,
    status: number,
    readonly retryAfterSeconds: number | undefined,
  ) {
    const advice = retryAfterSeconds === undefined ? '' : ` Try again in ${retryAfterSeconds} s.`
    super(`The server is too busy to respond.${advice}`, request, status)
  }
  override get isTransient() {
    return true
  }
}

/** Any other status outside 200 to 299. */
export class StatusError extends ApiError {
  constructor(request: Request, status: number, message: string) {
    super(message || `The server responded with status ${status}.`, request, status)
  }
}

/** A success whose body does not fit the contract: a proxy's page, another service, or a newer server. */
export class ResponseSchemaError extends ApiError {
  constructor(request: Request, status: number, reason: string, options?: ErrorOptions) {
    super(`The response does not have the expected form: ${reason}`, request, status, options)
  }
}

/** The connection ended in the middle of a response. The rows before the end are valid. */
export class StreamInterruptedError extends ApiError {
  constructor(request: Request, options?: ErrorOptions) {
    super('The connection ended before the response was complete.', request, 200, options)
  }
  override get isTransient() {
    return true
  }
}

/** Cancelled by the person, or because no component needs the response any more. */
export class AbortedError extends ApiError {
  constructor(request: Request, options?: ErrorOptions) {
    super('Stopped.', request, undefined, options)
  }
}
