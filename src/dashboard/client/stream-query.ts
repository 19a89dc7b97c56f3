import type { QueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { ClientEndpoint } from '../../contract/endpoint'
import type { Connection } from './connection'
import { endpointQueryKey, incrementalQuery } from './endpoint-query'
import { streamRows } from './stream-rows'

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

/** Sends all requests to an operation again whose results are on screen. */
export function refetchAll(queryClient: QueryClient, { path }: { path: string }): Promise<void> {
  return queryClient.refetchQueries({ queryKey: [path], type: 'active' })
}
