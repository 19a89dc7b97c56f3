import { useQuery } from '@tanstack/react-query'
import { receiveFoundThreads } from '../../contract/received-thread-search'
import { usesSession } from '../client/connection'
import { useConnection } from '../client/connection-context'
import { streamQuery } from '../client/stream-query'

/**
 * Whether the service finds threads by their calls; undefined while that is not known. A Spool with sessions does. Any other
 * service is asked, for no threads, once somebody needs to know.
 */
export function useCanSearch(isNeeded: boolean): boolean | undefined {
  const connection = useConnection()
  const isSpool = usesSession(connection)
  const { isSuccess, isError } = useQuery({
    ...streamQuery(receiveFoundThreads, { project_id: connection.projectId, limit: 0 }, connection),
    enabled: isNeeded && !isSpool,
    staleTime: Infinity,
    retry: false,
  })
  return isSpool || isSuccess ? true : isError ? false : undefined
}
