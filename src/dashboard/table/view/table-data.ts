import { isCancelledError } from '@tanstack/react-query'
import type { BrokenLine } from '../../client/parse-rows'
import type { TableView } from './url-params'

/** The rows of the page on screen, and the state of the query that reads them. */
export type TableData<Row> = {
  /** Undefined until the first rows arrive. */
  rows: readonly Row[] | undefined
  hasMore: boolean
  /** False while it is not certain that nothing follows the last row: other services may send fewer rows than asked for. */
  isEndKnown?: boolean
  /** What is special about these rows, such as that the service does not keep to pages. */
  notice?: string | undefined
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
  /** The view that the rows belong to: the one before, while `isPlaceholder`. */
  rowsView: Pick<TableView, 'sort' | 'page' | 'size'>
  refetch: () => Promise<unknown>
  cancel: () => void
}

/** Whether a message takes the place of the rows: there are none. */
export function needsMessage({ rows, isFetching, isPlaceholder, isComplete, error }: TableData<unknown>): boolean {
  // It stays while the same request is sent again: it would flicker. Of another view nothing is known yet.
  if (rows === undefined) return !isFetching || error !== null
  return rows.length === 0 && isComplete && !(isFetching && isPlaceholder)
}

/** Whether the rows shown are incomplete, older than a failed refresh, or not the service's own page. */
export function isPartial({ rows, isFetching, isComplete, error, brokenLines, notice }: TableData<unknown>): boolean {
  const isSpecial = error !== null || notice !== undefined
  return rows !== undefined && (isSpecial || (!isFetching && (!isComplete || brokenLines.length > 0)))
}

/** Whether the rows on screen are older than a failed request: a refresh, or another view. */
export function isOutdated({ rows, isComplete, isPlaceholder, error }: TableData<unknown>): boolean {
  return rows !== undefined && error !== null && (isComplete || isPlaceholder)
}

/** Cancelling is no failure: the rows received so far are shown as partial. */
export function ignoreCancellation(error: Error | null): Error | null {
  return isCancelledError(error) ? null : error
}
