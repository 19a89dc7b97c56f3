import { experimental_streamedQuery, queryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { ClientEndpoint } from '../../contract/endpoint'
import { type Connection, connectionIdentity } from './connection'
import { fetchJson } from './fetch-json'
import { type AnyEndpoint, validateInput } from './fetch-response'
import { type BrokenLine, parseRows } from './parse-rows'
import { streamRows } from './stream-rows'

/** The rows received so far. `isComplete` turns true only after the stream ended cleanly. */
export type StreamedRows<Row> = { rows: readonly Row[]; brokenLines: readonly BrokenLine[]; isComplete: boolean }

type Part<Row> = { rows: readonly Row[]; brokenLines: readonly BrokenLine[]; isLast: boolean }

/** Query options for an operation that responds with one JSON value. */
export function endpointQuery<Request extends z.core.$ZodType, Body extends z.core.$ZodType>(
  endpoint: ClientEndpoint<Request, Body, false>,
  input: z.input<Request>,
  connection: Connection,
) {
  return queryOptions({
    queryKey: endpointQueryKey(endpoint, input, connection),
    queryFn: ({ signal }) => fetchJson(endpoint, input, { connection, signal }),
  })
}

/** Query options for an operation that streams rows: `data` grows batch by batch, `isFetching` stays true until the end. */
export function streamQuery<Request extends z.core.$ZodType, Line extends z.core.$ZodType>(
  endpoint: ClientEndpoint<Request, Line, true>,
  input: z.input<Request>,
  connection: Connection,
) {
  type Row = z.output<Line>
  return incrementalQuery<Row>(endpointQueryKey(endpoint, input, connection), async function* (signal) {
    for await (const batch of streamRows(endpoint, input, { connection, signal })) yield { ...batch, isLast: false }
    yield { rows: [], brokenLines: [], isLast: true }
  })
}

/**
 * Query options for all rows of an operation that responds in pages. Reads `pageSize` rows a request, two requests at a
 * time, until a page is short or `maxRows` rows are read; in the latter case `isComplete` stays false.
 */
export function pagedQuery<Request extends z.core.$ZodType, Body extends z.core.$ZodType, Row extends z.core.$ZodType>(
  endpoint: ClientEndpoint<Request, Body, false>,
  toInput: (page: { limit: number; offset: number }) => z.input<Request>,
  connection: Connection,
  { pageSize, maxRows, row, toValues }: PagedOptions<Body, Row>,
) {
  const key = [...endpointQueryKey(endpoint, toInput({ limit: maxRows, offset: 0 }), connection), 'pages'] as const
  return incrementalQuery<z.output<Row>>(key, async function* (signal) {
    const readPage = async (offset: number) =>
      toValues(await fetchJson(endpoint, toInput({ limit: pageSize, offset }), { connection, signal }))
    for (let offset = 0; offset < maxRows; offset += 2 * pageSize) {
      const [first, second] = await Promise.all([readPage(offset), readPage(offset + pageSize)])
      const isLast = first.length < pageSize || second.length < pageSize
      yield { ...parseRows(row, [...first, ...second], offset + 1), isLast }
      if (isLast) return
    }
  })
}

type PagedOptions<Body extends z.core.$ZodType, Row extends z.core.$ZodType> = {
  pageSize: number
  maxRows: number
  row: Row
  toValues: (body: z.output<Body>) => readonly unknown[]
}

/** `[path, parsed input, connection without its secret]`. */
function endpointQueryKey(endpoint: AnyEndpoint, input: unknown, connection: Connection) {
  const validated = validateInput(endpoint, input)
  return [endpoint.path, validated.success ? validated.data : input, connectionIdentity(connection)] as const
}

function incrementalQuery<Row>(queryKey: readonly unknown[], readParts: (signal: AbortSignal) => AsyncGenerator<Part<Row>>) {
  const initialValue: StreamedRows<Row> = { rows: [], brokenLines: [], isComplete: false }
  return queryOptions({
    queryKey,
    queryFn: experimental_streamedQuery<Part<Row>, StreamedRows<Row>>({
      streamFn: ({ signal }) => readParts(signal),
      initialValue,
      reducer: (before, part) => ({
        rows: before.rows.concat(part.rows),
        brokenLines: before.brokenLines.concat(part.brokenLines),
        isComplete: part.isLast,
      }),
      // A refetch replaces the rows only once all new rows are there: the table never blanks and rows do not move meanwhile.
      refetchMode: 'replace',
    }),
    // Comparing every row with its predecessor took a third of the time of a long stream.
    structuralSharing: false,
    retry: false,
  })
}
