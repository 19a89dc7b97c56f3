import { hashKey, type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { useState } from 'react'

/**
 * A query that never blanks the screen: while another view loads, and after it failed, the result of the view before stays,
 * and so does the failure while the query is sent again. `shownView` is the view that the result belongs to.
 */
export function useSteadyQuery<Data, Key extends QueryKey, View>(options: UseQueryOptions<Data, Error, Data, Key>, view: View) {
  const [last, setLast] = useState({ options, view })
  const [failure, setFailure] = useState<Error | null>(null)
  const query = useQuery(options)
  const { data, error, isFetching } = query
  // Only observed, so that the cache keeps it however long the new view takes.
  const lastQuery = useQuery({ ...last.options, enabled: false })

  if (data !== undefined && (last.view !== view || hashKey(last.options.queryKey) !== hashKey(options.queryKey))) {
    setLast({ options, view })
  }
  const nextFailure = error ?? (isFetching && data === undefined ? failure : null)
  if (nextFailure !== failure) setFailure(nextFailure)

  const isPrevious = data === undefined && lastQuery.data !== undefined
  const shown = isPrevious ? lastQuery : query
  return {
    data: shown.data,
    updatedAt: shown.dataUpdatedAt,
    isPrevious,
    shownView: isPrevious ? last.view : view,
    error: nextFailure,
    isFetching,
    refetch: query.refetch,
  }
}
