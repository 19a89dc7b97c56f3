import { ApiError, BusyError, StatusError, UnreachableError } from '../client/api-error'

export type ServerCondition = 'unknown' | 'responding' | 'busy' | 'failing' | 'unreachable'

type RequestState = { dataUpdatedAt: number; errorUpdatedAt: number; error: unknown }

/**
 * The condition of the server after its latest response or failure. A 4xx is a response too. Undefined while the request that
 * failed last is sent again.
 */
export function serverCondition(requests: readonly RequestState[]): ServerCondition | undefined {
  let latestAt = 0
  let condition: ServerCondition | undefined = 'unknown'
  for (const { dataUpdatedAt, errorUpdatedAt, error } of requests) {
    const at = Math.max(dataUpdatedAt, errorUpdatedAt)
    if (at <= latestAt) continue
    latestAt = at
    if (errorUpdatedAt < dataUpdatedAt) condition = 'responding'
    else condition = error ? toServerCondition(error) : undefined
  }
  return condition
}

function toServerCondition(error: unknown): ServerCondition {
  if (error instanceof UnreachableError) return 'unreachable'
  if (error instanceof BusyError) return 'busy'
  if (error instanceof StatusError && (error.status ?? 0) >= 500) return 'failing'
  return error instanceof ApiError ? 'responding' : 'failing'
}
