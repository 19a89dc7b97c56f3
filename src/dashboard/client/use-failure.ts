import { useState } from 'react'
import { useConnection } from './connection-context'
import { mayLackOperation } from './may-lack-operation'

/**
 * Why a query has no data, until it has some: while it is requested again, it has no error itself. Null where the service may
 * have no such operation.
 */
export function useFailure({ data, error }: { data: unknown; error: Error | null }): Error | null {
  const connection = useConnection()
  const [last, setLast] = useState(error)
  const failure = data === undefined ? (error ?? last) : null
  if (failure !== last) setLast(failure)
  return failure && !mayLackOperation(failure, connection) ? failure : null
}
