import type { FetchQueryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { ClientEndpoint } from '../../contract/endpoint'
import type { Connection } from './connection'
import { endpointQuery, type StreamedRows } from './endpoint-query'
import { fetchJson } from './fetch-json'
import { parseRows } from './parse-rows'
import type { AnyEndpoint } from './fetch-response'

export type RowQuery<Row> = FetchQueryOptions<StreamedRows<Row>>

/** An operation that lists rows. `toQuery` gives queries of one shape, whether the rows are streamed or in one JSON value. */
export type RowSource<Input, Row> = {
  endpoint: AnyEndpoint
  toQuery: (input: Input, connection: Connection) => RowQuery<Row>
}

/**
 * Rows in one JSON value. Each is parsed by itself, as in a stream: an unreadable one is reported and hides no other.
 *
 * @example listedRows(receiveCosts, ReceivedCost, ({ results }) => results)
 */
export function listedRows<Request extends z.core.$ZodType, Body extends z.core.$ZodType, Row extends z.core.$ZodType>(
  endpoint: ClientEndpoint<Request, Body, false>,
  row: Row,
  toValues: (body: z.output<Body>) => readonly unknown[],
): RowSource<z.input<Request>, z.output<Row>> {
  return {
    endpoint,
    toQuery: (input, connection) => ({
      queryKey: [...endpointQuery(endpoint, input, connection).queryKey, 'rows'],
      queryFn: async ({ signal }) => {
        const body = await fetchJson(endpoint, input, { connection, signal })
        return { ...(await parseRows(row, toValues(body))), isComplete: true }
      },
    }),
  }
}
