import { ApiError, BusyError, StatusError, UnreachableError } from '../client/api-error'

export type ServerCondition = 'unknown' | 'responding' | 'busy' | 'failing' | 'unreachable'

type RequestState = { dataUpdatedAt: number; errorUpdatedAt: number; error: unknown }

/** The condition of the server after its latest response or failure. A 4xx is a response too. */
export function serverCondition(requests: readonly RequestState[]): ServerCondition {
  let latestAt = 0
  let condition: ServerCondition = 'unknown'
  for (const { dataUpdatedAt, errorUpdatedAt, error } of requests) {
    const at = Math.max(dataUpdatedAt, errorUpdatedAt)
    if (at <= latestAt) continue
    latestAt = at
    condition = errorUpdatedAt >= dataUpdatedAt && error ? toServerCondition(error) : 'responding'
  }
  return condition
}

function toServerCondition(error: unknown): ServerCondition {
  if (error instanceof UnreachableError) return 'unreachable'
  if (error instanceof BusyError) return 'busy'
  if (error instanceof StatusError && (error.status ?? 0) >= 500) return 'failing'
  return error instanceof ApiError ? 'responding' : 'failing'
}
