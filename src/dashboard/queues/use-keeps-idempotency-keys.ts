import { useQuery } from '@tanstack/react-query'
import { readServerInfo } from '../../contract/session'
import { usesSession } from '../client/connection'
import { useConnection } from '../client/connection-context'
import { endpointQuery } from '../client/endpoint-query'

/** Whether the server is a Spool: then the same draft, sent twice, makes one queue. False until that is known. */
export function useKeepsIdempotencyKeys(): boolean {
  const connection = useConnection()
  const hasSession = usesSession(connection)
  const info = useQuery({ ...endpointQuery(readServerInfo, {}, connection), enabled: !hasSession, staleTime: Infinity })
  return hasSession || info.data?.service === 'spool'
}
