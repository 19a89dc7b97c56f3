import { queryOptions } from '@tanstack/react-query'
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
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }) => {
      // A refetch replaces rows only once it has as many: the table never blanks, no row moves meanwhile, and a second attempt
      // that breaks off earlier than the first takes nothing away. TanStack's streamedQuery adds up the rows of two attempts.
      const before = client.getQueryData<StreamedRows<Row>>(queryKey)
      let result: StreamedRows<Row> = { rows: [], brokenLines: [], isComplete: false }
      for await (const part of readParts(signal)) {
        result = {
          rows: result.rows.concat(part.rows),
          brokenLines: result.brokenLines.concat(part.brokenLines),
          isComplete: part.isLast,
        }
        const isMore = !before || (!before.isComplete && result.rows.length >= before.rows.length)
        if (isMore && !signal.aborted) client.setQueryData(queryKey, result)
      }
      return result
    },
    // Rows that stopped half way, because their page was left, are read again when it is back.
    refetchOnMount: ({ state }) => (state.error !== null || state.data?.isComplete === false ? 'always' : true),
    // Comparing every row with its predecessor took a third of the time of a long stream.
    structuralSharing: false,
    retry: false,
  })
}
