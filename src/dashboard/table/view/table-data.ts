import { isCancelledError } from '@tanstack/react-query'
import type { BrokenLine } from '../../client/line-reader'

/** What the table needs to know of the query behind it, whichever way its rows come. */
export type TableData<Row> = {
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

/** Stopping is no failure: what came is shown as partial. */
export function ignoreCancellation(error: Error | null): Error | null {
  return isCancelledError(error) ? null : error
}

/** Whether words must stand where rows would: none came, and none are on their way. */
export function needsMessage({ rows, isFetching, isComplete }: TableData<unknown>): boolean {
  return !isFetching && (rows === undefined || (rows.length === 0 && isComplete))
}

/** Whether the rows that are there are not all, or not the newest. */
export function isPartial({ rows, isFetching, isComplete, error, brokenLines }: TableData<unknown>): boolean {
  return rows !== undefined && !isFetching && (!isComplete || error !== null || brokenLines.length > 0)
}
