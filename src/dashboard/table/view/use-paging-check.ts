import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ValidationError } from '../../client/api-error'
import { type Connection, usesSession } from '../../client/connection'
import type { StreamedRows } from '../../client/endpoint-query'
import { type List, pagingDeviationKey, pagingProbeKey, wholeListQuery } from '../../client/whole-list-query'
import { findDeviation, findDeviationByNeighbors, type PagingDeviation } from './paging-deviation'
import type { SortKey } from './url-params'

/** What is known about the habits of a service; undefined while it keeps to pages. */
export function usePagingDeviation(source: { endpoint: { path: string } }, connection: Connection): PagingDeviation | undefined {
  return useQuery<PagingDeviation>({
    queryKey: pagingDeviationKey(source, connection),
    queryFn: skipToken,
    staleTime: Infinity,
    gcTime: Infinity,
  }).data
}

type CheckedPage<Row> = {
  query: { data: StreamedRows<Row> | undefined; isPrevious: boolean; isFetching: boolean; error: Error | null }
  queryKey: readonly unknown[]
  limit: number
  offset: number
  sort: readonly SortKey[]
  /** What is known already. */
  deviation: PagingDeviation | undefined
}

/**
 * Checks whether a page is what was asked for, and remembers where it is not. Only of Spool it is known that a short page is
 * the last one: other services are asked for the rows around it.
 */
export function usePagingCheck<Input, Row extends object>(
  list: List<Input, Row>,
  wholeList: List<Input, Row>,
  { query, queryKey, limit, offset, sort, deviation: known }: CheckedPage<Row>,
) {
  const queryClient = useQueryClient()
  const { source, toInput, connection } = list
  const isSpool = usesSession(connection)
  const { data, isPrevious, isFetching, error } = query
  const page = data && !isPrevious && !isFetching && (data.isComplete || data.isTruncated) ? data : undefined
  const visible = page && findDeviation(page, limit, sort)
  const count = page ? Math.min(limit, page.rows.length + page.brokenLines.length) : 0
  const isProbed = page !== undefined && !isSpool && !visible && count > 0 && (offset > 0 || count < limit)
  const probe = useQuery({
    queryKey: pagingProbeKey(queryKey, count),
    enabled: isProbed,
    staleTime: Infinity,
    queryFn: async ({ client }) => {
      const readRow = async (start: number) =>
        (await client.fetchQuery({ ...source.toQuery(toInput(1, start), connection), gcTime: 0, staleTime: 0 })).rows[0]
      const [first, next] = await Promise.all([
        offset > 0 ? readRow(0) : undefined,
        count < limit ? readRow(offset + count) : undefined,
      ])
      return { deviation: findDeviationByNeighbors(page?.rows ?? [], offset, { first, next }) }
    },
  })
  // A refused page may have a wrong filter or too large a limit. Reading the whole list in smaller pages tells.
  const isRefused = !isSpool && error instanceof ValidationError
  const deviation = visible ?? (isProbed ? probe.data?.deviation : undefined)

  // The cache outlives this page: the next visit does not ask again.
  useEffect(() => {
    if (!deviation || known) return
    queryClient.setQueryData(pagingDeviationKey(source, connection), deviation)
    if (page && deviation === 'limit' && offset === 0) {
      queryClient.setQueryData(wholeListQuery(wholeList, queryClient).queryKey, { ...page, isComplete: !page.isTruncated })
    }
  })

  return {
    isPending: isProbed && probe.isFetching,
    isEndKnown: !isProbed || (probe.isSuccess && !deviation),
    suspicion: deviation ?? (isRefused ? ('refused' as const) : undefined),
  }
}
