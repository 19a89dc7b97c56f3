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

type Query<Data> = {
  data: Data | undefined
  isFetching: boolean
  isPlaceholderData: boolean
  error: Error | null
  dataUpdatedAt: number
  refetch: () => Promise<unknown>
}

/** The answer of a query that asked for one row more than the page shows: the surplus row only says that more follow. */
export function pageAnswer<Row, Data>(
  query: Query<Data>,
  { size, rowsOf, cancel }: { size: number; rowsOf: (data: Data) => PageRows<Row>; cancel: () => void },
): Answer<Row> {
  const page = query.data === undefined ? undefined : rowsOf(query.data)
  return {
    rows: page?.rows.slice(0, size),
    hasMore: (page?.rows.length ?? 0) > size,
    readCount: Math.min(page?.rows.length ?? 0, size),
    isFetching: query.isFetching,
    isPrevious: query.isPlaceholderData,
    isComplete: page?.isComplete ?? false,
    brokenLines: page?.brokenLines ?? [],
    error: query.error,
    updatedAt: query.dataUpdatedAt,
    refetch: query.refetch,
    cancel,
  }
}

export type PageRows<Row> = { rows: readonly Row[]; isComplete: boolean; brokenLines: readonly BrokenLine[] }
