import { ApiError, ExposedPasswordError } from '../../client/api-error'

/** Whether a failed request surely changed nothing. False where the server may have done the work before the failure. */
export function changedNothing(error: Error): boolean {
  if (error instanceof ExposedPasswordError) return true
  const status = error instanceof ApiError ? (error.status ?? 0) : 0
  // 408 comes from proxies too, when the server behind them already has the request.
  return status >= 400 && status < 500 && status !== 408
}
