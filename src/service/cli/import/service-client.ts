import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { parseRetryAfterMs } from '../../../contract/http'
import { type Problem, ProblemBody } from '../../../contract/problem'
import type { Server } from './find-server'
import { ImportError } from './import-error'

export type ServiceRequest<Schema extends z.core.$ZodType> = {
  path: string
  body: string
  headers?: Readonly<Record<string, string>>
  /** The schema of the response. */
  response: Schema
}

export type ServiceReply<Value> =
  | { kind: 'accepted'; value: Value; date: Date | undefined }
  /** The request is wrong: sending it again would not help. */
  | { kind: 'refused'; problems: readonly Problem[] }

/** The service is busy, or it is unknown whether it received the request. */
class RetryableError extends Error {
  override readonly name = 'RetryableError'
  constructor(
    reason: string,
    readonly retryAfterMs?: number | undefined,
  ) {
    super(reason)
  }
}

export type RetryLimits = { requestTimeoutMs: number; maxOutageMs: number; firstPauseMs: number }

const defaultLimits: RetryLimits = { requestTimeoutMs: 120_000, maxOutageMs: 180_000, firstPauseMs: 500 }
const maxPauseMs = 15_000
/** A longer Retry-After is shortened to this. */
const maxRetryAfterMs = 60_000
const retryableStatuses = new Set([408, 425, 429, 500, 502, 503, 504])
const unreachableCodes = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'])

/** Sends requests to one service as one user, and retries. Throws an `ImportError` where retrying would not help. */
export class ServiceClient {
  private lastAcceptedAt: number | undefined

  constructor(
    private readonly server: Server,
    private readonly onPause: (reason: string) => void = () => undefined,
    private readonly limits: RetryLimits = defaultLimits,
  ) {}

  /** Sends until the service accepts or refuses the request. It may arrive twice. */
  async post<Schema extends z.core.$ZodType>(request: ServiceRequest<Schema>): Promise<ServiceReply<z.infer<Schema>>> {
    return await this.retry(() => this.tryPost(request))
  }

  /** Runs `work`, which uses `tryPost`, again after a pause until no request of it has to be retried. */
  async retry<Result>(work: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now()
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof RetryableError)) throw error
        // While other requests succeed, the service is busy and not away.
        const outageMs = performance.now() - Math.max(startedAt, this.lastAcceptedAt ?? 0)
        if (outageMs > this.limits.maxOutageMs) {
          throw new ImportError(
            `${this.server.url} accepted nothing for ${Math.round(this.limits.maxOutageMs / 1000)} s: ${error.message}`,
          )
        }
        this.onPause(error.message)
        const backoffMs = Math.min(maxPauseMs, this.limits.firstPauseMs * 2 ** attempt)
        // Random, so that requests that were refused together do not return together.
        await sleep((error.retryAfterMs ?? backoffMs) + Math.random() * (backoffMs / 2))
      }
    }
  }

  /** Sends once; for use within `retry`. */
  async tryPost<Schema extends z.core.$ZodType>(request: ServiceRequest<Schema>): Promise<ServiceReply<z.infer<Schema>>> {
    const { path, body, headers } = request
    const { url, authorization } = this.server
    let response: Response
    let text: string
    try {
      response = await fetch(`${url}${path}`, {
        method: 'POST',
        // A redirect would send the credentials to another address.
        redirect: 'manual',
        headers: { 'content-type': 'application/json', authorization, ...headers },
        body,
        signal: AbortSignal.timeout(this.limits.requestTimeoutMs),
      })
      text = await response.text()
    } catch (error) {
      throw this.toNetworkError(error)
    }
    if (response.status !== 200) return this.readErrorResponse(response, text, path)
    this.lastAcceptedAt = performance.now()
    return { kind: 'accepted', value: this.parseResponse(text, request), date: parseDate(response.headers.get('date')) }
  }

  private readErrorResponse({ status, headers }: Response, text: string, path: string): ServiceReply<never> {
    const { url } = this.server
    const problems = parseProblems(text)
    const reason = problems[0]?.msg ?? `The status was ${status}.`
    if (retryableStatuses.has(status)) {
      const retryAfterMs = parseRetryAfterMs(headers.get('retry-after'), Date.now())
      throw new RetryableError(reason, retryAfterMs && Math.min(retryAfterMs, maxRetryAfterMs))
    }
    if (status === 401) {
      throw new ImportError(
        `${url} does not accept this user name and password. Check SPOOL_USERNAME and SPOOL_PASSWORD, or SPOOL_DATA.`,
      )
    }
    if (status === 403) throw new ImportError(`${reason} Name another with --project, or ask for access to this one.`)
    if (status === 404 || status === 405) throw new ImportError(`${url} has no ${path}: it is not Spool, or an older version.`)
    if (status >= 300 && status < 400) {
      const location = headers.get('location') ?? 'unknown'
      throw new ImportError(`${url} redirects to another address (${location}). Name that address with --url.`)
    }
    return { kind: 'refused', problems: problems.length > 0 ? problems : [{ loc: [], msg: reason, type: 'value_error' }] }
  }

  private toNetworkError(error: unknown): Error {
    const { url } = this.server
    if (error instanceof Error && error.name === 'TimeoutError') {
      return new RetryableError(`No response within ${this.limits.requestTimeoutMs / 1000} s.`)
    }
    // fetch() puts the reason into `cause`.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
    if (code === undefined) {
      return new ImportError(`${url} cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}.`)
    }
    if (this.lastAcceptedAt === undefined && unreachableCodes.has(code)) {
      return new ImportError(`No service at ${url} (${code}). Start Spool with npm start, or name another address with --url.`)
    }
    if (/CERT|SSL|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code)) {
      return new ImportError(`The certificate of ${url} cannot be trusted (${code}).`)
    }
    return new RetryableError(`The connection failed (${code}).`)
  }

  private parseResponse<Schema extends z.core.$ZodType>(text: string, { path, response }: ServiceRequest<Schema>) {
    try {
      return z.parse(response, JSON.parse(text))
    } catch {
      throw new ImportError(`The response of ${this.server.url}${path} is unknown: this is not Spool, or another version.`)
    }
  }
}

function parseProblems(text: string): readonly Problem[] {
  try {
    const body: unknown = JSON.parse(text)
    const parsed = ProblemBody.safeParse(body)
    return parsed.success ? parsed.data.detail : []
  } catch {
    return [] // The error page of a proxy.
  }
}

function parseDate(header: string | null): Date | undefined {
  const date = new Date(header ?? '')
  return Number.isNaN(date.getTime()) ? undefined : date
}
