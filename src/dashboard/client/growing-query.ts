import { queryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { ClientEndpoint } from '../../contract/endpoint'
import type { Connection } from './connection'
import { endpointQueryKey } from './endpoint-query'
import type { BrokenLine, RowsOfResponse } from './parse-rows'

/** What has been read so far. A new object each time `whole` has grown. */
export type Growing<Whole> = {
  whole: Whole
  brokenLines: readonly BrokenLine[]
  isTruncated: boolean
  /** Turns true only after the last row. */
  isComplete: boolean
}

type Options<Input, Row, Whole> = {
  input: Input
  create: () => Whole
  readParts: (whole: Whole, signal: AbortSignal) => AsyncGenerator<RowsOfResponse<Row>, void, void>
}

/**
 * Query options for rows that are collected in one structure. It grows in place, because copying 100,000 rows with every part
 * would take longer than reading them. A refetch fills another structure and shows it when it is complete.
 */
export function growingQuery<
  Request extends z.core.$ZodType,
  Line extends z.core.$ZodType,
  Whole extends { add: (rows: readonly z.output<Line>[]) => void },
>(
  endpoint: ClientEndpoint<Request, Line, true>,
  connection: Connection,
  { input, create, readParts }: Options<z.input<Request>, z.output<Line>, Whole>,
) {
  const queryKey = [...endpointQueryKey(endpoint, input, connection), 'growing'] as const
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }): Promise<Growing<Whole>> => {
      const isFirst = client.getQueryData<Growing<Whole>>(queryKey)?.isComplete !== true
      const whole = create()
      const brokenLines: BrokenLine[] = []
      let isTruncated = false
      const toResult = (isComplete: boolean): Growing<Whole> => ({
        whole,
        brokenLines: [...brokenLines],
        isTruncated,
        isComplete,
      })
      for await (const part of readParts(whole, signal)) {
        whole.add(part.rows)
        brokenLines.push(...part.brokenLines)
        isTruncated ||= part.isTruncated ?? false
        if (isFirst && !signal.aborted) client.setQueryData(queryKey, toResult(false))
      }
      return toResult(true)
    },
    // What stopped half way, because its page was left, is read again when it is back.
    refetchOnMount: ({ state }) => (state.error !== null || state.data?.isComplete === false ? 'always' : true),
    // It would compare all rows with their predecessors.
    structuralSharing: false,
    retry: false,
  })
}
