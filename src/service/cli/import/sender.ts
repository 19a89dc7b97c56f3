import { setTimeout as wait } from 'node:timers/promises'
import { parseRetryAfterMs } from '../../../contract/http'
import { type Problem, ProblemBody } from '../../../contract/problem'
import type { ImportTarget } from './destination'
import { ImportError, StoppedError } from './import-error'

export type Request = {
  path: string
  body: string
  headers?: Readonly<Record<string, string>>
}

export type ServerReply =
  | { kind: 'accepted'; value: unknown; date: Date | undefined }
  /** What was sent is at fault: sending it again would not help. */
  | { kind: 'refused'; status: number; problems: readonly Problem[] }

/** The service cannot take it now, or nobody knows whether it did. */
export type Later = { kind: 'later'; because: string; afterMs: number | undefined }

export type Patience = { answerMs: number; outageMs: number; firstPauseMs: number }

const defaultPatience: Patience = { answerMs: 120_000, outageMs: 180_000, firstPauseMs: 500 }
const longestPauseMs = 15_000
/** A longer Retry-After is cut to this. */
const maxRetryAfterMs = 60_000
const laterStatuses = new Set([408, 425, 429, 500, 502, 503, 504])
const hopelessCodes = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'])

/** Sends to one service as one user, and waits where it asks for that. Throws an `ImportError` where sending is in vain. */
export class Sender {
  /** When it last took anything; undefined while it never did. */
  private lastTakenAt: number | undefined

  constructor(
    private readonly destination: ImportTarget,
    private readonly stopping: AbortSignal,
    private readonly onPause: (because: string) => void = () => undefined,
    private readonly patience: Patience = defaultPatience,
  ) {}

  /** Sends until it is taken or refused; only for what may arrive twice. */
  async post(request: Request): Promise<ServerReply> {
    return await this.patiently(() => this.attempt(request))
  }

  /** Repeats `work` after pauses until it is not put off. Throws a `StoppedError` where the import is stopped meanwhile. */
  async patiently<Result>(work: () => Promise<Result | Later>): Promise<Result> {
    let since = performance.now()
    for (let pauses = 0; ; pauses += 1) {
      const result = await work()
      if (!isLater(result)) return result
      // Others may get through while this one waits: that is a busy service, not one that is away.
      since = Math.max(since, this.lastTakenAt ?? 0)
      if (performance.now() - since > this.patience.outageMs) {
        throw new ImportError(
          `${this.destination.url} could not take more for ${Math.round(this.patience.outageMs / 1000)} s: ${result.because}`,
        )
      }
      this.onPause(result.because)
      const backOffMs = Math.min(longestPauseMs, this.patience.firstPauseMs * 2 ** pauses)
      // Spread, so that those who were turned away together do not come back together.
      const pauseMs = (result.afterMs ?? backOffMs) + Math.random() * (backOffMs / 2)
      await wait(pauseMs, undefined, { signal: this.stopping }).catch(() => {
        throw new StoppedError('stopped')
      })
    }
  }

  /** Sends once. */
  async attempt({ path, body, headers }: Request): Promise<ServerReply | Later> {
    const { url, authorization } = this.destination
    let response: Response
    let text: string
    try {
      response = await fetch(`${url}${path}`, {
        method: 'POST',
        // Its credentials are for this address and no other.
        redirect: 'manual',
        headers: { 'content-type': 'application/json', authorization, ...headers },
        body,
        signal: AbortSignal.timeout(this.patience.answerMs),
      })
      text = await response.text()
    } catch (error) {
      return this.unreached(error)
    }
    if (response.status === 200) {
      this.lastTakenAt = performance.now()
      return { kind: 'accepted', value: this.parsed(text, path), date: dateOf(response) }
    }
    return this.judged(response, text, path)
  }

  private judged(response: Response, text: string, path: string): ServerReply | Later {
    const { url } = this.destination
    const { status } = response
    const problems = problemsIn(text)
    const reason = problems[0]?.msg ?? `It answered ${status}.`
    if (laterStatuses.has(status)) {
      const afterMs = parseRetryAfterMs(response.headers.get('retry-after'), Date.now())
      return { kind: 'later', because: reason, afterMs: afterMs && Math.min(afterMs, maxRetryAfterMs) }
    }
    if (status === 401)
      throw new ImportError(
        `${url} does not know this user name and password. Check SPOOL_USERNAME and SPOOL_PASSWORD, or SPOOL_DATA.`,
      )
    if (status === 403) throw new ImportError(`${reason} Choose another with --project, or have the project added to the user.`)
    if (status === 404 || status === 405) throw new ImportError(`${url} has no ${path}: it is no Spool, or an older one.`)
    if (status >= 300 && status < 400)
      throw new ImportError(
        `${url} points to another address (${response.headers.get('location') ?? 'unknown'}): name that with --url.`,
      )
    return { kind: 'refused', status, problems: problems.length > 0 ? problems : [{ loc: [], msg: reason, type: 'value_error' }] }
  }

  private unreached(error: unknown): Later {
    const { url } = this.destination
    const { answerMs } = this.patience
    if (error instanceof Error && error.name === 'TimeoutError') {
      return { kind: 'later', because: `No answer within ${answerMs / 1000} s.`, afterMs: undefined }
    }
    // fetch() hides why it failed one level down.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
    if (code === undefined) {
      throw new ImportError(`${url} cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}.`)
    }
    if (this.lastTakenAt === undefined && hopelessCodes.has(code)) {
      throw new ImportError(`Nothing answers at ${url} (${code}). Start Spool with npm start, or name another with --url.`)
    }
    if (/CERT|SSL|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code)) {
      throw new ImportError(`The certificate of ${url} cannot be trusted (${code}).`)
    }
    return { kind: 'later', because: `The connection broke (${code}).`, afterMs: undefined }
  }

  private parsed(text: string, path: string): unknown {
    try {
      return JSON.parse(text)
    } catch {
      throw new ImportError(`${this.destination.url}${path} answered something other than JSON: it is no Spool.`)
    }
  }
}

function isLater(result: unknown): result is Later {
  return typeof result === 'object' && result !== null && 'kind' in result && result.kind === 'later'
}

function problemsIn(text: string): readonly Problem[] {
  try {
    const body: unknown = JSON.parse(text)
    const parsed = ProblemBody.safeParse(body)
    return parsed.success ? parsed.data.detail : []
  } catch {
    return [] // a proxy's own page
  }
}

function dateOf(response: Response): Date | undefined {
  const date = new Date(response.headers.get('date') ?? '')
  return Number.isNaN(date.getTime()) ? undefined : date
}
