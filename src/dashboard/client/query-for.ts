import { experimental_streamedQuery, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint'
import { call } from './call'
import { type Connection, connectionIdentity } from './connection'
import type { BrokenLine } from './line-reader'
import type { AnyEndpoint } from './send'
import { stream } from './stream'

/** A stream as far as it came. `isComplete` turns true with its clean end only. */
export type Streamed<Row> = { rows: readonly Row[]; brokenLines: readonly BrokenLine[]; isComplete: boolean }

/** Options for useQuery and fetchQuery. The key is `[path, parsed input, connection without its secret]`, made nowhere else. */
export function queryFor<Request extends z.core.$ZodType, Answer extends z.core.$ZodType>(
  endpoint: Endpoint<Request, Answer, false>,
  input: z.input<Request>,
  connection: Connection,
) {
  return queryOptions({
    queryKey: keyFor(endpoint, input, connection),
    queryFn: ({ signal }) => call(endpoint, input, { connection, signal }),
  })
}

/** As `queryFor`, for an operation that streams: `data` grows batch by batch, `isFetching` stays true until the end. */
export function streamQueryFor<Request extends z.core.$ZodType, Line extends z.core.$ZodType>(
  endpoint: Endpoint<Request, Line, true>,
  input: z.input<Request>,
  connection: Connection,
) {
  type Row = z.output<Line>
  type Part = { rows: Row[]; brokenLines: BrokenLine[]; isLast: boolean }
  const initialValue: Streamed<Row> = { rows: [], brokenLines: [], isComplete: false }
  async function* parts(signal: AbortSignal): AsyncGenerator<Part> {
    for await (const batch of stream(endpoint, input, { connection, signal })) yield { ...batch, isLast: false }
    yield { rows: [], brokenLines: [], isLast: true }
  }
  return queryOptions({
    queryKey: keyFor(endpoint, input, connection),
    queryFn: experimental_streamedQuery<Part, Streamed<Row>>({
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

function keyFor(endpoint: AnyEndpoint, input: unknown, connection: Connection) {
  const parsed = z.safeParse(endpoint.request, input)
  return [endpoint.path, parsed.success ? parsed.data : input, connectionIdentity(connection)] as const
}
