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

type Part<Row> = { rows: readonly Row[]; brokenLines: readonly BrokenLine[]; isLast: boolean }

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
  return growingQuery<Row>(keyFor(endpoint, input, connection), async function* (signal) {
    for await (const batch of stream(endpoint, input, { connection, signal })) yield { ...batch, isLast: false }
    yield { rows: [], brokenLines: [], isLast: true }
  })
}

/**
 * As `queryFor`, for all rows of an operation that answers in pages: reads `pageSize` rows a call, two calls at a time,
 * until a page is short or `most` rows are there; then `isComplete` stays false.
 */
export function pagesQueryFor<Request extends z.core.$ZodType, Answer extends z.core.$ZodType, Row>(
  endpoint: Endpoint<Request, Answer, false>,
  inputOf: (page: { limit: number; offset: number }) => z.input<Request>,
  connection: Connection,
  { pageSize, most, rowsOf }: { pageSize: number; most: number; rowsOf: (answer: z.output<Answer>) => readonly Row[] },
) {
  const key = [...keyFor(endpoint, inputOf({ limit: most, offset: 0 }), connection), 'pages'] as const
  return growingQuery<Row>(key, async function* (signal) {
    const read = (offset: number) => call(endpoint, inputOf({ limit: pageSize, offset }), { connection, signal }).then(rowsOf)
    for (let offset = 0; offset < most; offset += 2 * pageSize) {
      // oxlint-disable-next-line no-await-in-loop -- whether there is a next pair is known from this one
      const [first, second] = await Promise.all([read(offset), read(offset + pageSize)])
      const isLast = first.length < pageSize || second.length < pageSize
      yield { rows: [...first, ...second], brokenLines: [], isLast }
      if (isLast) return
    }
  })
}

function growingQuery<Row>(queryKey: readonly unknown[], parts: (signal: AbortSignal) => AsyncGenerator<Part<Row>>) {
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

function keyFor(endpoint: AnyEndpoint, input: unknown, connection: Connection) {
  const parsed = z.safeParse(endpoint.request, input)
  return [endpoint.path, parsed.success ? parsed.data : input, connectionIdentity(connection)] as const
}
