import {
  AbortedError,
  ApiError,
  BusyError,
  ExposedPasswordError,
  ForbiddenError,
  NotFoundError,
  ResponseSchemaError,
  UnauthorizedError,
  UnreachableError,
  ValidationError,
} from '../client/api-error'
import type { Connection } from '../client/connection'
import type { Finding, Probe } from './probes'
import { RedirectError } from './send-probe'

export type ProbeOutcome =
  | Finding
  | 'unreachable'
  | 'cors'
  | 'unreadable'
  | 'unauthorized'
  | 'forbidden'
  | 'missing'
  | 'wrong-method'
  | 'rejected'
  | 'exposed'
  | 'throttled'
  | 'busy'
  | 'redirected'
  | 'unexpected'
  | 'timeout'
  | 'failed'

export type ProbeResult = {
  outcome: ProbeOutcome
  isSlow: boolean
  durationMs: number
  status: number | undefined
  /** The server's own words, or what came instead of the expected response. */
  message: string | undefined
}

const slowMs = 2000
const timeoutMs = 15_000

/** Runs one probe. It never throws: a failure is an outcome. */
export async function runProbe(probe: Probe, connection: Connection, signal: AbortSignal): Promise<ProbeResult> {
  const startedAt = performance.now()
  const timeout = AbortSignal.timeout(timeoutMs)
  const { outcome, status, message } = await probe.run(connection, AbortSignal.any([signal, timeout])).then(
    (finding) => ({ outcome: finding, status: undefined, message: undefined }),
    async (error: unknown) => ({
      outcome: timeout.aborted ? ('timeout' as const) : await toProbeOutcome(error, connection),
      status: error instanceof ApiError ? error.status : undefined,
      message: error instanceof RedirectError ? error.target : error instanceof Error ? error.message : String(error),
    }),
  )
  const durationMs = performance.now() - startedAt
  return { outcome, status, message, durationMs: Math.round(durationMs), isSlow: durationMs > slowMs }
}

/**
 * A result in the light of the others. A browser does not tell a refusal by CORS from a connection that breaks off; but where
 * it could read the response to another operation, the server allows this page in general. And an operation that was not
 * called takes no password that all others refuse; one of them alone may be unknown to a server that hides what it has not.
 */
export function compareResult(result: ProbeResult, others: Iterable<ProbeResult>): ProbeResult {
  const outcomes = Array.from(others, ({ outcome }) => outcome)
  if (result.outcome === 'cors' && outcomes.some((outcome) => !unreadOutcomes.has(outcome))) {
    return { ...result, outcome: 'unreadable' }
  }
  if (!isUncalled(result.outcome)) return result
  const called = new Set(outcomes.filter((outcome) => !isUncalled(outcome)))
  return called.size === 1 && called.has('unauthorized') ? { ...result, outcome: 'unauthorized' } : result
}

const isUncalled = (outcome: ProbeOutcome) => outcome === 'exists' || outcome === 'untold'

const unreadOutcomes = new Set<ProbeOutcome>(['cors', 'unreachable', 'timeout', 'exposed', 'redirected', 'untold'])

async function toProbeOutcome(error: unknown, { baseUrl }: Connection): Promise<ProbeOutcome> {
  if (error instanceof UnreachableError) return (await isServerReachable(baseUrl)) ? 'cors' : 'unreachable'
  if (error instanceof AbortedError) return 'timeout'
  if (error instanceof RedirectError) return 'redirected'
  if (error instanceof UnauthorizedError) return 'unauthorized'
  if (error instanceof ForbiddenError) return 'forbidden'
  if (error instanceof NotFoundError) return 'missing'
  if (error instanceof ValidationError) return 'rejected'
  if (error instanceof ExposedPasswordError) return 'exposed'
  if (error instanceof BusyError) return error.status === 429 ? 'throttled' : 'busy'
  if (error instanceof ResponseSchemaError) return 'unexpected'
  if (error instanceof ApiError && (error.status === 405 || error.status === 501)) return 'wrong-method'
  return 'failed'
}

/**
 * Whether a server responds at another origin. A `no-cors` response cannot be read, but its arrival proves that the server
 * is up and that CORS keeps this page from reading it.
 */
async function isServerReachable(baseUrl: string): Promise<boolean> {
  const url = URL.parse(baseUrl, location.href)
  if (!url || url.origin === location.origin) return false
  try {
    await fetch(url, { mode: 'no-cors', credentials: 'omit', cache: 'no-store', signal: AbortSignal.timeout(5000) })
    return true
  } catch {
    return false
  }
}
