import { hashKey, type QueryKey, useQuery, useQueryClient, type UseQueryOptions } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
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
  const queryClient = useQueryClient()
  const asked = useRef(options.queryKey)
  // Requests are outside React. One for a view that was left would go on, because its rows stay on screen.
  useEffect(() => {
    const leftKey = asked.current
    asked.current = options.queryKey
    if (hashKey(leftKey) === key) return
    const left = queryClient.getQueryCache().find({ queryKey: leftKey, exact: true })
    if (left?.state.fetchStatus !== 'fetching' || left.isActive()) return
    void queryClient.cancelQueries({ queryKey: leftKey, exact: true })
    // What it has by then is incomplete, or as old as before.
    void queryClient.invalidateQueries({ queryKey: leftKey, exact: true, refetchType: 'none' })
  })
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
