import { ApiError, BusyError, StatusError, UnreachableError } from '../client/api-error'

export type ServerCondition = 'unknown' | 'answering' | 'busy' | 'failing' | 'unreachable'

type Asked = { dataUpdatedAt: number; errorUpdatedAt: number; error: unknown }

/** How the server is, going by the latest of all answers and failures. A refusal (4xx) is an answer too. */
export function serverCondition(asked: readonly Asked[]): ServerCondition {
  let latestAt = 0
  let condition: ServerCondition = 'unknown'
  for (const { dataUpdatedAt, errorUpdatedAt, error } of asked) {
    const at = Math.max(dataUpdatedAt, errorUpdatedAt)
    if (at <= latestAt) continue
    latestAt = at
    condition = errorUpdatedAt >= dataUpdatedAt && error ? toServerCondition(error) : 'answering'
  }
  return condition
}

function toServerCondition(error: unknown): ServerCondition {
  if (error instanceof UnreachableError) return 'unreachable'
  if (error instanceof BusyError) return 'busy'
  if (error instanceof StatusError && (error.status ?? 0) >= 500) return 'failing'
  return error instanceof ApiError ? 'answering' : 'failing'
}
