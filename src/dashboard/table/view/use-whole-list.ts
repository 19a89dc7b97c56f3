import { hashKey, keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { maxRowsRead } from '../../client/parse-rows'
import { type List, pagingDeviationKey, wholeListQuery } from '../../client/whole-list-query'
import { describeDeviation, type PagingDeviation, readSortValue } from './paging-deviation'
import { sortRowIndexes } from './sort-row-indexes'
import { ignoreCancellation, type TableData } from './table-data'
import type { TableView } from './url-params'
import { useLastingFailure } from './use-lasting-failure'

type Options<Row> = {
  /** Undefined while the service keeps to pages: then nothing is read. */
  deviation: PagingDeviation | undefined
  /** The page as the service sent it: shown until the whole list is there. */
  page: TableData<Row>
  view: TableView
}

/** The page of a list whose service does not keep to pages: all rows are read once, then sorted and paged here. */
export function useWholeList<Input, Row extends object>(list: List<Input, Row>, { deviation, page, view }: Options<Row>) {
  const queryClient = useQueryClient()
  const { source, connection } = list
  const options = wholeListQuery(list, queryClient)
  const query = useQuery({ ...options, enabled: deviation !== undefined, placeholderData: keepPreviousData })
  const { data, isFetching } = query
  const error = ignoreCancellation(useLastingFailure(query, hashKey(options.queryKey)))
  const isTruncated = data !== undefined && data.rows.length + data.brokenLines.length >= maxRowsRead
  const isReady =
    deviation !== undefined && data !== undefined && (data.isComplete || isTruncated || !isFetching || error !== null)
  const all = isReady ? data.rows : undefined
  const { sort, size } = view
  const rows = useMemo(
    () => all && Array.from(sortRowIndexes(all, sort, readSortValue), (index) => all[index]).filter((row) => row !== undefined),
    [all, sort],
  )
  const start = (view.page - 1) * size
  const pageRows = useMemo(() => rows?.slice(start, start + size), [rows, start, size])

  const isConfirmed = deviation === 'refused' && isReady && !error
  // The cache outlives this page: the next visit does not send what is refused.
  useEffect(() => {
    if (isConfirmed) queryClient.setQueryData(pagingDeviationKey(source, connection), deviation)
  })

  if (deviation === undefined) return { data: page, sorted: undefined }
  const refetch = query.refetch
  const cancel = () => void queryClient.cancelQueries({ queryKey: options.queryKey }, { revert: false })
  if (!data || !rows || !isReady) {
    const failure = error && (page.error ?? error)
    return {
      data: { ...page, readCount: data?.rows.length ?? 0, isFetching, error: failure, refetch, cancel },
      sorted: undefined,
    }
  }
  const { brokenLines } = data
  const whole: TableData<Row> = {
    rows: pageRows,
    hasMore: rows.length > start + size,
    total: isTruncated || !data.isComplete ? undefined : rows.length,
    notice: describeDeviation(deviation, rows.length, isTruncated),
    readCount: rows.length,
    isFetching,
    isPlaceholder: query.isPlaceholderData,
    isComplete: data.isComplete || isTruncated,
    isEndKnown: !isTruncated,
    brokenLines,
    error,
    updatedAt: query.dataUpdatedAt,
    rowsView: view,
    refetch,
    cancel,
  }
  return { data: whole, sorted: { rows, brokenLines, isTruncated } }
}
