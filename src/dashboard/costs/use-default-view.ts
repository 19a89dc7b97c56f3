import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isMissingOperation, UnauthorizedError } from '../client/api-error'
import { usesSession } from '../client/connection'
import { useConnection } from '../client/connection-context'
import { derivedQueryKey } from '../client/endpoint-query'
import { usePreferences } from '../format/preferences'
import { hasSpend } from './spend/has-spend'

/** After so long Spend is shown, which says how long it has been reading. */
const lateMs = 2000

/**
 * The view that the page opens with: Spend once the project has calls with usage, else Prices. Undefined while it is asked,
 * and then Spend if that takes long. Only a service with sessions, a Spool, is asked: on others the prices must not wait. It
 * stays until the page is left.
 */
export function useDefaultView(isNeeded: boolean): 'spend' | 'prices' | undefined {
  const connection = useConnection()
  const queryClient = useQueryClient()
  const { zone } = usePreferences()
  const [decided, setDecided] = useState<'spend' | 'prices'>()
  const [isLate, setIsLate] = useState(false)
  const isAsked = isNeeded && usesSession(connection)
  const isOpen = isAsked && decided === undefined
  const { data, error } = useQuery({
    queryKey: derivedQueryKey('has spend', connection),
    queryFn: async () => hasSpend(queryClient, connection, zone),
    enabled: isOpen,
    retry: false,
  })
  // Timers are outside React.
  useEffect(() => {
    if (!isOpen) return undefined
    const timer = setTimeout(() => setIsLate(true), lateMs)
    return () => clearTimeout(timer)
  }, [isOpen])
  if (!isAsked) return 'prices'
  const isSpend = error ? isAnsweredBySpend(error) : data
  if (decided === undefined && isSpend !== undefined) setDecided(isSpend ? 'spend' : 'prices')
  return decided ?? (isLate ? 'spend' : undefined)
}

/**
 * What Spend cannot read it says itself, with a way to try again. Without the operation there are still prices, and where the
 * session has ended, their request leads to the sign-in.
 */
function isAnsweredBySpend(error: Error): boolean {
  return !isMissingOperation(error) && !(error instanceof UnauthorizedError)
}
