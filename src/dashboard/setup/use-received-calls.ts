import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryCallHeadings, queryCallStats } from '../../contract/call-headings'
import { ForbiddenError, NotFoundError } from '../client/api-error'
import { useConnection } from '../client/connection-context'
import { endpointQuery, streamQuery } from '../client/endpoint-query'
import { type ReceivedCalls, receivedSince, type ProjectCalls } from './received-calls'

export const fastPollSeconds = 2
const slowPollSeconds = 10

type Check = { arrivals: ReceivedCalls | undefined; error: Error | undefined; checkedAt: number; checkAgain: () => void }

/**
 * Asks again and again what the project holds, often until something has come. Pauses while the page is hidden, as
 * react-query's intervals do, and ends where asking again cannot help.
 */
export function useReceivedCalls(): Check {
  const connection = useConnection()
  const { projectId: project_id } = connection
  const [before, setBefore] = useState<ProjectCalls>()

  const newestInput = {
    project_id,
    filter: { trace_roots_only: true },
    sort_by: [{ field: 'started_at', direction: 'desc' as const }],
    columns: ['thread_id'],
    limit: 1,
  }
  // What is known from an earlier visit says nothing of now.
  const live = { gcTime: 0, staleTime: 0 }
  const [seconds, setSeconds] = useState(fastPollSeconds)
  const refetchInterval = ({ state }: { state: { error: Error | null } }) => !isFinal(state.error) && seconds * 1000
  const stats = useQuery({ ...endpointQuery(queryCallStats, { project_id }, connection), ...live, refetchInterval })
  const newest = useQuery({ ...streamQuery(queryCallHeadings, newestInput, connection), ...live, refetchInterval })

  const now = stats.data && newest.data?.isComplete && { count: stats.data.count, newest: newest.data.rows[0] }
  if (now && !before) setBefore(now)
  const arrivals = now && before ? receivedSince(before, now) : undefined
  const error = stats.error ?? newest.error ?? undefined
  // Where only the count has grown, the call behind it is still to be asked for; where one of the two failed, that one.
  const wanted = arrivals?.kind === 'some' && arrivals.call && !error ? slowPollSeconds : fastPollSeconds
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
