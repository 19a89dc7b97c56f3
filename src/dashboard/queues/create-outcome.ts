import { ApiError, ExposedPasswordError } from '../client/api-error'

/**
 * What a failed request says about the queue. `created-earlier`: an earlier content of the draft became a queue.
 * `not-created`: the server refused, or nothing was sent. `unknown`: the server may have created it before the failure.
 */
export type CreateOutcome = 'created-earlier' | 'not-created' | 'unknown'

export function getCreateOutcome(error: Error, keepsKeys: boolean): CreateOutcome {
  if (error instanceof ExposedPasswordError) return 'not-created'
  const status = error instanceof ApiError ? (error.status ?? 0) : 0
  if (status === 409 && keepsKeys) return 'created-earlier'
  // 408 comes from proxies too, when the server behind them already has the request.
  return status >= 400 && status < 500 && status !== 408 ? 'not-created' : 'unknown'
}
