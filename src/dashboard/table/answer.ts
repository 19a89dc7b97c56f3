import { isCancelledError } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { BrokenLine } from '../client/line-reader'

/** What the table needs to know of the query behind it, whichever way its rows come. */
export type Answer<Row> = {
  /** The rows of this page, or undefined until the first came. */
  rows: readonly Row[] | undefined
  hasMore: boolean
  /** How many there are in all, where that is known and not guessed. */
  total?: number | undefined
  /** How many have been read so far, this page or, for a set read whole, all of it. */
  readCount: number
  isFetching: boolean
  /** These rows belong to the view before; the ones asked for are on their way. */
  isPrevious: boolean
  /** Whether the end was reached cleanly. */
  isComplete: boolean
  brokenLines: readonly BrokenLine[]
  error: Error | null
  /** Milliseconds since 1970, 0 before the first answer. */
  updatedAt: number
  refetch: () => Promise<unknown>
  cancel: () => void
}

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
): Answer<Row> {
  const pageRows = useMemo(() => rows?.slice(0, size), [rows, size])
  return {
    rows: pageRows,
    hasMore: (rows?.length ?? 0) > size,
    readCount: pageRows?.length ?? 0,
    isFetching: query.isFetching,
    isPrevious: query.isPlaceholderData,
    isComplete,
    brokenLines,
    error: unlessStopped(query.error),
    updatedAt: query.dataUpdatedAt,
    refetch: query.refetch,
    cancel,
  }
}

/** Stopping is no failure: what came is shown as partial. */
export function unlessStopped(error: Error | null): Error | null {
  return isCancelledError(error) ? null : error
}

const noLines: readonly BrokenLine[] = []

/** Whether words must stand where rows would: none came, and none are on their way. */
export function hasNothingToShow({ rows, isFetching, isComplete }: Answer<unknown>): boolean {
  return !isFetching && (rows === undefined || (rows.length === 0 && isComplete))
}

/** Whether the rows that are there are not all, or not the newest. */
export function isPartial({ rows, isFetching, isComplete, error, brokenLines }: Answer<unknown>): boolean {
  return rows !== undefined && !isFetching && (!isComplete || error !== null || brokenLines.length > 0)
}
