import { queryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { ClientEndpoint } from '../../contract/endpoint'
import { type Connection, connectionIdentity, usesSession } from './connection'
import { fetchJson } from './fetch-json'
import { type AnyEndpoint, validateInput } from './fetch-response'
import { parseRows, type RowsOfResponse } from './parse-rows'

/** The rows received so far. `isComplete` turns true only after the stream ended cleanly. */
export type StreamedRows<Row> = RowsOfResponse<Row> & { isComplete: boolean }

export type Part<Row> = RowsOfResponse<Row> & { isLast: boolean }

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

/**
 * Query options for all rows of an operation that responds in pages, until a page is short or `maxRows` rows are read; in the
 * latter case `isComplete` stays false. Spool honours pages. Of another service nothing is known.
 */
export function pagedQuery<Request extends z.core.$ZodType, Body extends z.core.$ZodType, Row extends z.core.$ZodType>(
  endpoint: ClientEndpoint<Request, Body, false>,
  toInput: (page: { limit?: number | undefined; offset: number }, isSimple: boolean) => z.input<Request>,
  connection: Connection,
  { pageSize, maxRows, row, toValues }: PagedOptions<Body, Row>,
) {
  const key = [...endpointQueryKey(endpoint, toInput({ limit: maxRows, offset: 0 }, false), connection), 'pages'] as const
  return incrementalQuery<z.output<Row>>(key, async function* (signal) {
    const readPage = async ({ isSimple = false, ...page }: { limit: number | undefined; offset: number; isSimple?: boolean }) => {
      const body = await fetchJson(endpoint, toInput(page, isSimple), { connection, signal })
      return parseRows(row, toValues(body), page.offset + 1)
    }
    if (!usesSession(connection)) {
      const { readWholeList } = await import('./read-whole-list')
      yield* readWholeList({ readPage, pageSize, maxRows, canSimplify: true, signal })
      return
    }
    for (let offset = 0; offset < maxRows; offset += pageSize) {
      const { rows, brokenLines } = await readPage({ limit: pageSize, offset })
      const isLast = rows.length + brokenLines.length < pageSize
      yield { rows, brokenLines, isLast }
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
export function endpointQueryKey(endpoint: AnyEndpoint, input: unknown, connection: Connection) {
  const validated = validateInput(endpoint, input)
  return [endpoint.path, validated.success ? validated.data : input, connectionIdentity(connection)] as const
}

/** The key of something that is worked out from several responses. */
export function derivedQueryKey(name: string, connection: Connection) {
  return [name, connection.projectId, connectionIdentity(connection)] as const
}

/** Query options for rows that come in parts. */
export function incrementalQuery<Row>(
  queryKey: readonly unknown[],
  readParts: (signal: AbortSignal) => AsyncGenerator<Part<Row>>,
) {
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
          isTruncated: result.isTruncated || part.isTruncated || false,
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
