import { useQuery } from '@tanstack/react-query'
import { readBudget } from '../../../contract/budget'
import { useConnection } from '../../client/connection-context'
import { endpointQuery } from '../../client/endpoint-query'
import { useFailure } from '../../client/use-failure'
import { usePreferences } from '../../format/preferences'
import { toZoneName } from '../../format/interval'

/**
 * The budget of the project's month and how far it is used: undefined until it is known, and where the service keeps none.
 * `failure` says why it could not be read.
 */
export function useBudget() {
  const connection = useConnection()
  const { zone } = usePreferences()
  const input = { project_id: connection.projectId, time_zone: toZoneName(zone) }
  // The page is complete without it.
  const query = useQuery({ ...endpointQuery(readBudget, input, connection), retry: false })
  const { data, isPending, refetch } = query
  return { state: data, isPending, failure: useFailure(query), refetch }
}
