import type { Problem } from '../../contract/problem'

/** What a server says about a failure: the problems of the contract, if it has them, and a text. '' if it says nothing. */
export type ServerWords = {
  problems: readonly Problem[]
  text: string
  /** The whole text, where `text` is only its start. */
  fullText?: string
}

export const noWords: ServerWords = { problems: [], text: '' }

type Request = { method: string; path: string }

/** A request without a usable response. Each cause has its own class, so that nobody has to compare message texts. */
export abstract class ApiError extends Error {
  readonly failedAt = new Date()

  /** What the server sent in the form of the contract; [] for any other failure. */
  readonly problems: readonly Problem[] = []

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
    const problems = this.problems.map(({ loc, msg, type }) => `${loc.join('.')}: ${msg} (${type})`)
    const time = `at: ${this.failedAt.toISOString()}`
    return [`${method} ${path}`, ...status, `${this.name}: ${this.message}`, ...cause, time, ...problems].join('\n')
  }
}

/** A response with an error status. Its message has the server's own words, after ours where those have another form. */
abstract class ResponseError extends ApiError {
  override readonly problems: readonly Problem[]
  private readonly fullText: string | undefined

  constructor(request: Request, status: number, message: string, { problems, text, fullText }: ServerWords) {
    const isContractForm = problems.length > 0
    super(isContractForm ? text : text === '' ? message : `${message} The server says: ${text}`, request, status)
    this.problems = problems
    this.fullText = fullText
  }

  override get details(): string {
    return this.fullText === undefined ? super.details : `${super.details}\n${this.fullText}`
  }
}

/**
 * No response. For another origin the browser does not say whether the server is down, the address is wrong, or CORS forbids
 * reading it. `isOwnServer`: the page came from this server, so only the first can be true.
 */
export class UnreachableError extends ApiError {
  constructor(request: Request, { isOwnServer = false, ...options }: ErrorOptions & { isOwnServer?: boolean } = {}) {
    super(
      isOwnServer
        ? 'The server does not respond. It may be restarting, or the network is down.'
        : 'No response. The server is down, its address is wrong, or it does not allow this page to read its responses (CORS).',
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
export class UnauthorizedError extends ResponseError {
  constructor(request: Request, words: ServerWords = noWords) {
    super(request, 401, 'The username or password was not accepted.', words)
  }
}

/** 403: the user is known, but has no access to this project. */
export class ForbiddenError extends ResponseError {
  constructor(request: Request, words: ServerWords = noWords) {
    super(request, 403, 'This user has no access to this project.', words)
  }
}

/** 404: the requested thing does not exist, or an older server does not have the operation. */
export class NotFoundError extends ResponseError {
  constructor(request: Request, words: ServerWords = noWords) {
    super(request, 404, 'The server does not know this operation. It may be older than this dashboard.', words)
  }
}

/** 422 or 400: the request is invalid. The client throws it too, before it sends an invalid request. */
export class ValidationError extends ResponseError {
  constructor(request: Request, words: ServerWords, status = 422) {
    super(request, status, `The server rejected the request (${status}).`, words)
  }
}

/** 429 or 503: the server asks to try again later. */
export class BusyError extends ResponseError {
  constructor(
    request: Request,
    status: number,
    readonly retryAfterSeconds: number | undefined,
    words: ServerWords = noWords,
  ) {
    const advice = retryAfterSeconds === undefined ? '' : ` Try again in ${retryAfterSeconds} s.`
    // 503 has other reasons too, such as a full disk. Then the server's words follow.
    const isBusy = status === 429 || words.text === ''
    super(request, status, `The server ${isBusy ? 'is too busy to respond' : 'cannot do this now'}.${advice}`, words)
  }
  override get isTransient() {
    return true
  }
}

/** Any other status outside 200 to 299. */
export class StatusError extends ResponseError {
  constructor(request: Request, status: number, words: ServerWords = noWords) {
    super(request, status, `The server responded with status ${status}.`, words)
  }
  /** 502 and 504: a proxy found no service behind it. */
  override get isTransient() {
    return this.status === 502 || this.status === 504
  }
}

/** Whether a service answered as it does for an operation that it does not have. */
export function isMissingOperation(error: unknown): boolean {
  return error instanceof NotFoundError || (error instanceof StatusError && (error.status === 405 || error.status === 501))
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
