import type * as z from 'zod/mini'
import type { ClientEndpoint } from '../../contract/endpoint'
import { call } from './call'
import type { Connection } from './connection'
import { growingQuery } from './growing-query'
import { keyFor } from './key-for'

/**
 * As `queryFor`, for all rows of an operation that answers in pages: reads `pageSize` rows a call, two calls at a time,
 * until a page is short or `most` rows are there; then `isComplete` stays false.
 */
export function pagesQueryFor<Request extends z.core.$ZodType, Answer extends z.core.$ZodType, Row>(
  endpoint: ClientEndpoint<Request, Answer, false>,
  inputOf: (page: { limit: number; offset: number }) => z.input<Request>,
  connection: Connection,
  { pageSize, most, rowsOf }: { pageSize: number; most: number; rowsOf: (answer: z.output<Answer>) => readonly Row[] },
) {
  const key = [...keyFor(endpoint, inputOf({ limit: most, offset: 0 }), connection), 'pages'] as const
  return growingQuery<Row>(key, async function* (signal) {
    const read = (offset: number) => call(endpoint, inputOf({ limit: pageSize, offset }), { connection, signal }).then(rowsOf)
    for (let offset = 0; offset < most; offset += 2 * pageSize) {
      const [first, second] = await Promise.all([read(offset), read(offset + pageSize)])
      const isLast = first.length < pageSize || second.length < pageSize
      yield { rows: [...first, ...second], brokenLines: [], isLast }
      if (isLast) return
    }
  })
}
