import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Queue, readQueue, streamQueues, updateQueue } from '../../../contract/queues'
import { useConnection } from '../../client/connection-context'
import { fetchJson } from '../../client/fetch-json'
import { refetchOperation } from '../../client/refetch-operation'
import { changeScorerRefs, type ScorerChange } from './change-scorer-refs'

/** Changes the scorers of a queue, as they are now: somebody else may have changed others since the page read them. */
export function useChangeScorers({ id, project_id }: Queue) {
  const connection = useConnection()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (change: ScorerChange) => {
      const { queue } = await fetchJson(readQueue, { queue_id: id, project_id }, { connection })
      const changed = changeScorerRefs(queue.scorer_refs, change)
      if (!changed)
        throw new Error(
          'Somebody else has replaced or removed this scorer meanwhile. The page shows the scorers as they are now.',
        )
      await fetchJson(updateQueue, { queue_id: id, project_id, scorer_refs: changed.refs }, { connection })
      return changed.inverse
    },
    onSettled: async () => {
      await Promise.all([readQueue, streamQueues].map((operation) => refetchOperation(client, operation)))
    },
  })
}
