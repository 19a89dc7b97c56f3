import { queryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { ClientEndpoint } from '../../contract/endpoint'
import { call } from './call'
import type { Connection } from './connection'
import { growingQuery } from './growing-query'
import { keyFor } from './key-for'
import { stream } from './stream'

/** Options for useQuery and fetchQuery. The key is `[path, parsed input, connection without its secret]`, made nowhere else. */
export function queryFor<Request extends z.core.$ZodType, Answer extends z.core.$ZodType>(
  endpoint: ClientEndpoint<Request, Answer, false>,
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
  endpoint: ClientEndpoint<Request, Line, true>,
  input: z.input<Request>,
  connection: Connection,
) {
  type Row = z.output<Line>
  return growingQuery<Row>(keyFor(endpoint, input, connection), async function* (signal) {
    for await (const batch of stream(endpoint, input, { connection, signal })) yield { ...batch, isLast: false }
    yield { rows: [], brokenLines: [], isLast: true }
  })
}
