import { useMutation, useQueryClient } from '@tanstack/react-query'
import { nextQueueItem, queryQueueStats } from '../../../contract/queue-items'
import { deleteQueue, type Queue, readQueue, streamQueues, updateQueue } from '../../../contract/queues'
import { useConnection } from '../../client/connection-context'
import { fetchJson } from '../../client/fetch-json'
import { refetchOperation } from '../../client/refetch-operation'

export type QueueChange = Partial<Pick<Queue, 'name' | 'description' | 'reviews_per_item' | 'assignees' | 'archived'>>

/** Changes or deletes a queue, and then reads again what shows it. */
export function useChangeQueue({ id: queue_id }: Pick<Queue, 'id'>) {
  const connection = useConnection()
  const queryClient = useQueryClient()
  const ids = { project_id: connection.projectId, queue_id }
  const onSuccess = async () => {
    await Promise.all(
      [readQueue, streamQueues, queryQueueStats, nextQueueItem].map((each) => refetchOperation(queryClient, each)),
    )
  }
  return {
    change: useMutation({
      mutationFn: (change: QueueChange) => fetchJson(updateQueue, { ...ids, ...change }, { connection }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: () => fetchJson(deleteQueue, ids, { connection }),
      // Not the queue itself: it would be a 404 on the page that is left.
      onSuccess: () => refetchOperation(queryClient, streamQueues),
    }),
  }
}
