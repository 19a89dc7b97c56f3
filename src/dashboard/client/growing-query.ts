import { experimental_streamedQuery, queryOptions } from '@tanstack/react-query'
import type { BrokenLine } from './line-reader'

/** A stream as far as it came. `isComplete` turns true with its clean end only. */
export type Streamed<Row> = { rows: readonly Row[]; brokenLines: readonly BrokenLine[]; isComplete: boolean }

type Part<Row> = { rows: readonly Row[]; brokenLines: readonly BrokenLine[]; isLast: boolean }

/** Query options whose data grows with each part. */
export function growingQuery<Row>(queryKey: readonly unknown[], parts: (signal: AbortSignal) => AsyncGenerator<Part<Row>>) {
  const initialValue: Streamed<Row> = { rows: [], brokenLines: [], isComplete: false }
  return queryOptions({
    queryKey,
    queryFn: experimental_streamedQuery<Part<Row>, Streamed<Row>>({
      streamFn: ({ signal }) => parts(signal),
      initialValue,
      reducer: (before, part) => ({
        rows: before.rows.concat(part.rows),
        brokenLines: before.brokenLines.concat(part.brokenLines),
        isComplete: part.isLast,
      }),
      // A refetch shows at once what is new, when all of it is there: no blank table, no row that moves while it loads.
      refetchMode: 'replace',
    }),
    // Comparing every row with the one before cost a third of the time of a long stream.
    structuralSharing: false,
    retry: false,
  })
}
