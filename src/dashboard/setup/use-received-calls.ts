import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryCallHeadings, queryCallStats } from '../../contract/call-headings'
import { ApiError } from '../client/api-error'
import { useConnection } from '../client/connection-context'
import { endpointQuery } from '../client/endpoint-query'
import { streamQuery } from '../client/stream-query'
import { type ReceivedCalls, receivedSince, type ProjectCalls } from './received-calls'

export const fastPollSeconds = 2
const slowPollSeconds = 5
/** A server that always fails to count will not learn it. */
const maxServerErrors = 5

type Check = { received: ReceivedCalls | undefined; error: Error | undefined; checkedAt: number; checkAgain: () => void }

/**
 * Polls the calls of the project: fast until a call is received, then slowly, for as long as the page is open. React Query
 * pauses the interval while the page is hidden. Polling stops after an error that another request cannot fix.
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
  // Cached data of an earlier visit must not count as the state at the start.
  const live = { gcTime: 0, staleTime: 0 }
  const [seconds, setSeconds] = useState(fastPollSeconds)
  const refetchInterval = ({ state }: { state: PollState }) => mayChange(state) && seconds * 1000
  const stats = useQuery({ ...endpointQuery(queryCallStats, { project_id }, connection), ...live, refetchInterval })
  const newest = useQuery({ ...streamQuery(queryCallHeadings, newestInput, connection), ...live, refetchInterval })

  const now = stats.data && newest.data?.isComplete && { count: stats.data.count, newest: newest.data.rows[0] }
  if (now && !before) setBefore(now)
  const received = now && before ? receivedSince(before, now) : undefined
  const error = stats.error ?? newest.error ?? undefined
  // Fast as long as the new call itself is unknown, or one of the two requests failed.
  const nextSeconds = received?.kind === 'some' && received.call && !error ? slowPollSeconds : fastPollSeconds
  if (nextSeconds !== seconds) setSeconds(nextSeconds)

  return {
    received,
    error,
    checkedAt: Math.max(stats.dataUpdatedAt, newest.dataUpdatedAt),
    checkAgain: () => {
      void stats.refetch()
      void newest.refetch()
    },
  }
}

type PollState = { error: Error | null; errorUpdateCount: number }

/** The query client itself sends a request again that failed for want of the server. */
function mayChange({ error, errorUpdateCount }: PollState): boolean {
  if (error === null) return true
  const isServerError = error instanceof ApiError && !error.isTransient && (error.status ?? 0) >= 500
  return isServerError && error.status !== 501 && errorUpdateCount < maxServerErrors
}
