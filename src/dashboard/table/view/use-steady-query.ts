import { hashKey, type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { useState } from 'react'
import { useLastingFailure } from './use-lasting-failure'

/**
 * A query that never blanks the screen: while another view loads, and after it failed, the result of the view before stays.
 * A failure stays while the query is sent again. `shownView` is the view that the result belongs to.
 */
export function useSteadyQuery<Data, Key extends QueryKey, View>(options: UseQueryOptions<Data, Error, Data, Key>, view: View) {
  const [last, setLast] = useState({ options, view })
  const query = useQuery(options)
  const { data, isFetching } = query
  const key = hashKey(options.queryKey)
  const error = useLastingFailure(query, key)
  // Only observed, so that the cache keeps it however long the new view takes.
  const lastQuery = useQuery({ ...last.options, enabled: false })

  if (data !== undefined && (last.view !== view || hashKey(last.options.queryKey) !== key)) {
    setLast({ options, view })
  }

  const isPrevious = data === undefined && lastQuery.data !== undefined
  const shown = isPrevious ? lastQuery : query
  return {
    data: shown.data,
    updatedAt: shown.dataUpdatedAt,
    isPrevious,
    shownView: isPrevious ? last.view : view,
    error,
    isFetching,
    refetch: query.refetch,
  }
}
