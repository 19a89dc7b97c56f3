import { useQuery } from '@tanstack/react-query'
import { nextQueueItem } from '../../../contract/queue-items'
import { usesSession } from '../../client/connection'
import { useConnection } from '../../client/connection-context'
import { operationExistsQuery } from '../../client/operation-exists-query'

/**
 * Whether the service gives out items to review, and so has the other Spool extensions of queues too. A Spool does; another
 * service is asked. Undefined until it has answered.
 */
export function useHasReviews(): boolean | undefined {
  const connection = useConnection()
  const isSpool = usesSession(connection)
  const { data, error } = useQuery({ ...operationExistsQuery(nextQueueItem, connection), enabled: !isSpool })
  return isSpool || (error ? false : data)
}
