import { useMutation, useQueryClient } from '@tanstack/react-query'
import { purgeCosts } from '../../../contract/cost-writes'
import { receiveCosts } from '../../../contract/received-costs'
import { useConnection } from '../../client/connection-context'
import { fetchJson } from '../../client/fetch-json'
import { refetchOperation } from '../../client/refetch-operation'

/** Removes one record of the project. To remove it twice does no harm. */
export function useRemovePrice() {
  const connection = useConnection()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (id: string) => {
      const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: id }] as const } }
      await fetchJson(purgeCosts, { project_id: connection.projectId, query }, { connection })
      await refetchOperation(queryClient, receiveCosts)
    },
  })
}
