import { useQuery } from '@tanstack/react-query'
import { addQueueItems } from '../../../contract/queue-items'
import { usesSession } from '../../client/connection'
import { useConnection } from '../../client/connection-context'
import { operationExistsQuery } from '../../client/operation-exists-query'

/** Whether the service takes calls into queues. A Spool does; another one is asked. False until it has answered. */
export function useCanAddToQueue(): boolean {
  const connection = useConnection()
  const isSpool = usesSession(connection)
  const { data = false } = useQuery({ ...operationExistsQuery(addQueueItems, connection), enabled: !isSpool })
  return isSpool || data
}
