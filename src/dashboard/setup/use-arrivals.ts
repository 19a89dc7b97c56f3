import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readCallHeadings, readCallStats } from '../../contract/call-heading'
import { ForbiddenError, NotFoundError } from '../client/api-error'
import { useConnection } from '../client/connection-context'
import { queryFor, streamQueryFor } from '../client/query-for'
import { type Arrivals, arrivalsSince, type Holdings } from './arrivals'

export const eagerSeconds = 2
const calmSeconds = 10

type Check = { arrivals: Arrivals | undefined; error: Error | undefined; checkedAt: number; checkAgain: () => void }

/**
 * Asks again and again what the project holds, often until something has come. Pauses while the page is hidden, as
 * react-query's intervals do, and ends where asking again cannot help.
 */
export function useArrivals(): Check {
  const connection = useConnection()
  const { projectId: project_id } = connection
  const [before, setBefore] = useState<Holdings>()

  const newestInput = {
    project_id,
    filter: { trace_roots_only: true },
    sort_by: [{ field: 'started_at', direction: 'desc' as const }],
    columns: ['thread_id'],
    limit: 1,
  }
  // What is known from an earlier visit says nothing of now.
  const live = { gcTime: 0, staleTime: 0 }
  const [seconds, setSeconds] = useState(eagerSeconds)
  const refetchInterval = ({ state }: { state: { error: Error | null } }) => !isFinal(state.error) && seconds * 1000
  const stats = useQuery({ ...queryFor(readCallStats, { project_id }, connection), ...live, refetchInterval })
  const newest = useQuery({ ...streamQueryFor(readCallHeadings, newestInput, connection), ...live, refetchInterval })

  const now = stats.data && newest.data?.isComplete && { count: stats.data.count, newest: newest.data.rows[0] }
  if (now && !before) setBefore(now)
  const arrivals = now && before ? arrivalsSince(before, now) : undefined
  const error = stats.error ?? newest.error ?? undefined
  // Where only the count has grown, the call behind it is still to be asked for; where one of the two failed, that one.
  const wanted = arrivals?.kind === 'some' && arrivals.call && !error ? calmSeconds : eagerSeconds
  if (wanted !== seconds) setSeconds(wanted)

  return {
    arrivals,
    error,
    checkedAt: Math.max(stats.dataUpdatedAt, newest.dataUpdatedAt),
    checkAgain: () => {
      void stats.refetch()
      void newest.refetch()
    },
  }
}

/** Not there, or not for this user: it will not be otherwise in two seconds. */
function isFinal(error: Error | null): boolean {
  return error instanceof NotFoundError || error instanceof ForbiddenError
}
