import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ReceivedThread } from '../../contract/received-threads'
import { queryThreadUsage, type ThreadUsage } from '../../contract/thread-usage'
import { usesSession } from '../client/connection'
import { useConnection } from '../client/connection-context'
import { endpointQuery } from '../client/endpoint-query'

/**
 * What the calls of these threads spent, by thread id. Undefined until it is read, and where the service does not tell: only
 * one with sessions, a Spool, is asked.
 */
export function useThreadUsage(threads: readonly ReceivedThread[] | undefined, isReady: boolean) {
  const connection = useConnection()
  const thread_ids = threads?.map(({ thread_id }) => thread_id) ?? []
  const { data } = useQuery({
    ...endpointQuery(queryThreadUsage, { project_id: connection.projectId, thread_ids }, connection),
    enabled: isReady && thread_ids.length > 0 && usesSession(connection),
    placeholderData: keepPreviousData,
    // The table is complete without it.
    retry: false,
  })
  return useMemo(() => data && new Map(data.usage.map((usage): [string, ThreadUsage] => [usage.thread_id, usage])), [data])
}
