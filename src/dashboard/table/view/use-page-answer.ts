import { useMemo } from 'react'
import type { BrokenLine } from '../../client/line-reader'
import { type TableData, ignoreCancellation } from './table-data'

type Query = {
  isFetching: boolean
  isPlaceholderData: boolean
  error: Error | null
  dataUpdatedAt: number
  refetch: () => Promise<unknown>
}

type PageOptions<Row> = {
  /** As many as the server answered: one more than the page shows, if more follow. The same array as long as nothing changed. */
  rows: readonly Row[] | undefined
  size: number
  isComplete: boolean
  brokenLines?: readonly BrokenLine[] | undefined
  cancel: () => void
}

/** The answer of a query that asked for one row more than the page shows: the surplus row only says that more follow. */
export function usePageAnswer<Row>(
  query: Query,
  { rows, size, isComplete, brokenLines = noLines, cancel }: PageOptions<Row>,
): TableData<Row> {
  const pageRows = useMemo(() => rows?.slice(0, size), [rows, size])
  return {
    rows: pageRows,
    hasMore: (rows?.length ?? 0) > size,
    readCount: pageRows?.length ?? 0,
    isFetching: query.isFetching,
    isPrevious: query.isPlaceholderData,
    isComplete,
    brokenLines,
    error: ignoreCancellation(query.error),
    updatedAt: query.dataUpdatedAt,
    refetch: query.refetch,
    cancel,
  }
}

const noLines: readonly BrokenLine[] = []
