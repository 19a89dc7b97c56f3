import type * as z from 'zod/mini'
import type { ClientEndpoint } from '../../contract/endpoint'
import type { RowSource } from './row-source'
import { streamQuery } from './stream-query'

/** @example streamedRows(streamThreads) */
export function streamedRows<Request extends z.core.$ZodType, Line extends z.core.$ZodType>(
  endpoint: ClientEndpoint<Request, Line, true>,
): RowSource<z.input<Request>, z.output<Line>> {
  return {
    endpoint,
    toQuery: (input, connection) => streamQuery(endpoint, input, connection),
  }
}
