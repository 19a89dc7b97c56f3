import { isCancelledError } from '@tanstack/react-query'
import type { BrokenLine } from '../../client/parse-rows'

/** The rows of the page on screen, and the state of the query that reads them. */
export type TableData<Row> = {
  /** Undefined until the first rows arrive. */
  rows: readonly Row[] | undefined
  hasMore: boolean
  /** The number of rows on all pages, where it is known. */
  total?: number | undefined
  /** How many rows have been read so far: of this page, or of the whole list where it is read whole. */
  readCount: number
  isFetching: boolean
  /** These rows belong to the previous view; those of this view are still loading. */
  isPlaceholder: boolean
  /** Whether everything was received. */
  isComplete: boolean
  brokenLines: readonly BrokenLine[]
  error: Error | null
  /** Milliseconds since 1970; 0 before the first response. */
  updatedAt: number
  refetch: () => Promise<unknown>
  cancel: () => void
}

/** Whether a message takes the place of the rows: there are none, and none are loading. */
export function needsMessage({ rows, isFetching, isComplete }: TableData<unknown>): boolean {
  return !isFetching && (rows === undefined || (rows.length === 0 && isComplete))
}

/** Whether the rows shown are incomplete, or older than a failed refresh. */
export function isPartial({ rows, isFetching, isComplete, error, brokenLines }: TableData<unknown>): boolean {
  return rows !== undefined && !isFetching && (!isComplete || error !== null || brokenLines.length > 0)
}

/** Cancelling is no failure: the rows received so far are shown as partial. */
export function ignoreCancellation(error: Error | null): Error | null {
  return isCancelledError(error) ? null : error
}
