import { useQuery } from '@tanstack/react-query'
import { createCosts } from '../../../contract/cost-writes'
import { usesSession } from '../../client/connection'
import { useConnection } from '../../client/connection-context'
import { operationExistsQuery } from '../../client/operation-exists-query'

/** Whether the service takes prices. A Spool does; another one is asked. Undefined until it has answered. */
export function useTakesPrices(): boolean | undefined {
  const connection = useConnection()
  const isSpool = usesSession(connection)
  const { data, error } = useQuery({ ...operationExistsQuery(createCosts, connection), enabled: !isSpool })
  return isSpool || (error ? false : data)
}
