import { useState } from 'react'
import { ApiError } from './api-error'
import { usesSession } from './connection'
import { useConnection } from './connection-context'
import { mayLackOperation } from './may-lack-operation'

/**
 * Why a query has no data, until it has some: while it is requested again, it has no error itself. Null where the service may
 * have no such operation: others than Spool answer unknown paths in many ways, so of them only an error in Spool's form counts.
 */
export function useFailure({ data, error }: { data: unknown; error: Error | null }): Error | null {
  const connection = useConnection()
  const [last, setLast] = useState(error)
  const failure = data === undefined ? (error ?? last) : null
  if (failure !== last) setLast(failure)
  if (mayLackOperation(failure, connection)) return null
  return usesSession(connection) || (failure instanceof ApiError && failure.problems.length > 0) ? failure : null
}
