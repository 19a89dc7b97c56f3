import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, ValidationError } from '../client/api-error'
import { usesSession } from '../client/connection'
import { useConnection } from '../client/connection-context'
import { derivedQueryKey } from '../client/endpoint-query'
import { usePreferences } from '../format/preferences'
import { hasSpend } from './spend/has-spend'

/**
 * The view that the page opens with: Spend once the project has calls with usage, else Prices. Undefined while it is asked.
 * Only a service with sessions, a Spool, is asked: on others the prices must not wait. It stays until the page is left.
 */
export function useDefaultView(isNeeded: boolean): 'spend' | 'prices' | undefined {
  const connection = useConnection()
  const queryClient = useQueryClient()
  const { zone } = usePreferences()
  const [decided, setDecided] = useState<'spend' | 'prices'>()
  const isAsked = isNeeded && usesSession(connection)
  const { data, error } = useQuery({
    queryKey: derivedQueryKey('has spend', connection),
    queryFn: async () => hasSpend(queryClient, connection, zone),
    enabled: isAsked && decided === undefined,
    retry: false,
  })
  if (!isAsked) return 'prices'
  const isSpend = error ? isAnsweredBySpend(error) : data
  if (decided === undefined && isSpend !== undefined) setDecided(isSpend ? 'spend' : 'prices')
  return decided
}

/**
 * While the server is away, Spend says so and recovers by itself. What it refuses is in the address, which Spend explains too.
 * Any other failure means that the server does not have the operation, and it has prices.
 */
function isAnsweredBySpend(error: Error): boolean {
  return error instanceof ValidationError || (error instanceof ApiError && error.isTransient)
}
