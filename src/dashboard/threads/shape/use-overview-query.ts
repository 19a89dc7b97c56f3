import { type QueryKey, useQueryClient, type UseQueryOptions } from '@tanstack/react-query'
import { useSteadyQuery } from '../../table/view/use-steady-query'
import type { OverviewProps } from './overview-props'

/** A steady query that is first sent when the rows of the view are there: the service is to read those first. */
export function useOverviewQuery<Data, Key extends QueryKey>(
  options: UseQueryOptions<Data, Error, Data, Key>,
  { view, areRowsComing }: Pick<OverviewProps, 'view' | 'areRowsComing'>,
) {
  const queryClient = useQueryClient()
  // To enable it anew would send it again, for each page of the rows.
  const isKnown = queryClient.getQueryData(options.queryKey) !== undefined
  const { enabled = true } = options
  return useSteadyQuery({ ...options, enabled: isKnown || !areRowsComing ? enabled : false }, view)
}
