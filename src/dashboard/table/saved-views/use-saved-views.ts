import { hashKey, useIsFetching, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createView, deleteView, queryViews, type SavedView, updateView, type ViewPage } from '../../../contract/views'
import { useConnection } from '../../client/connection-context'
import { endpointQuery } from '../../client/endpoint-query'
import { fetchJson } from '../../client/fetch-json'
import { refetchOperation } from '../../client/refetch-operation'
import { useFailure } from '../../client/use-failure'

/** A change of the saved views. A change of a view is made to the view as it was read. */
export type ViewChange =
  | { kind: 'create'; name: string; state: string }
  | { kind: 'update'; view: SavedView; name?: string; state?: string }
  | { kind: 'delete'; view: SavedView }

/**
 * The saved views of a page, for everybody who may see the project. Undefined until they are known, and where the service keeps
 * none. `failure` says why they could not be read.
 */
export function useSavedViews(page: ViewPage) {
  const connection = useConnection()
  const { projectId: project_id } = connection
  const queryClient = useQueryClient()
  const query = endpointQuery(queryViews, { project_id, page }, connection)
  // The page is complete without them, so they wait for its rows. Not for themselves: where they fail, they would be requested
  // again at once, and again.
  const ownHash = hashKey(query.queryKey)
  const isPageLoading = useIsFetching({ predicate: ({ queryHash }) => queryHash !== ownHash }) > 0
  const views = useQuery({ ...query, retry: false, enabled: !isPageLoading })
  const change = useMutation({
    mutationFn: async (next: ViewChange): Promise<SavedView | undefined> => {
      const options = { connection }
      if (next.kind === 'create') {
        const { name, state } = next
        return (await fetchJson(createView, { project_id, page, name, state }, options)).view
      }
      const { id: view_id, updated_at } = next.view
      if (next.kind === 'delete') {
        await fetchJson(deleteView, { project_id, view_id }, options)
        return undefined
      }
      const { name, state } = next
      return (await fetchJson(updateView, { project_id, view_id, updated_at, name, state }, options)).view
    },
    // Also after a failure: somebody else may have changed the view.
    onSettled: () => refetchOperation(queryClient, queryViews),
  })
  return { views: views.data?.views, failure: useFailure(views), refetch: views.refetch, change }
}
