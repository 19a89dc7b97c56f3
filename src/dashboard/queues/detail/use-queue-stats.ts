import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { queryQueueStats, type QueueStats } from '../../../contract/queue-items'
import { useConnection } from '../../client/connection-context'
import { endpointQuery } from '../../client/endpoint-query'

export type StatsOfQueues = {
  /** By the queue's id; undefined until they are read. */
  byId: ReadonlyMap<string, QueueStats> | undefined
  error: Error | null
  /** When they arrived, milliseconds. */
  readAt: number
  isFetching: boolean
  refetch: () => Promise<unknown>
}

/** How far these queues are, in one request. The figures before stay while others are read. */
export function useQueueStats(queueIds: readonly string[]): StatsOfQueues {
  const connection = useConnection()
  const { data, error, dataUpdatedAt, isFetching, refetch } = useQuery({
    ...endpointQuery(queryQueueStats, { project_id: connection.projectId, queue_ids: [...queueIds] }, connection),
    enabled: queueIds.length > 0,
    placeholderData: keepPreviousData,
  })
  const byId = useMemo(() => data && new Map(data.stats.map((stats) => [stats.queue_id, stats])), [data])
  return { byId, error, readAt: dataUpdatedAt, isFetching, refetch }
}
