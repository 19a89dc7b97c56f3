import type { QueryClient } from '@tanstack/react-query'
import { type Connection, connectionIdentity } from './connection'
import { incrementalQuery } from './endpoint-query'
import { maxRowsRead, type RowsOfResponse } from './parse-rows'
import type { RowSource } from './row-source'

type PageInput<Input> = (limit: number | undefined, offset: number) => Input
/** A list of a service, and the request for a page of it. */
export type List<Input, Row> = { source: RowSource<Input, Row>; toInput: PageInput<Input>; connection: Connection }

/** Query options for all rows of a list, up to `maxRowsRead`, from a service that does not keep to pages. */
export function wholeListQuery<Input, Row>({ source, toInput, connection }: List<Input, Row>, queryClient: QueryClient) {
  const { queryKey } = source.toQuery(toInput(maxRowsRead, 0), connection)
  return incrementalQuery<Row>([...queryKey, 'whole'], async function* (signal) {
    yield* await readList({ source, toInput, connection }, { queryClient, signal, pageSize: 1000, maxRows: maxRowsRead })
  })
}

type ReadOptions = { queryClient: QueryClient; signal: AbortSignal; pageSize: number; maxRows: number }

/** Reads all rows of a list, whatever the service does with pages. */
export async function readList<Input, Row>(
  { source, toInput, connection }: List<Input, Row>,
  { queryClient, ...options }: ReadOptions,
) {
  const { readWholeList } = await import('./read-whole-list')
  return readWholeList<Row>({ ...options, readPage: ({ limit, offset }) => readOnce(limit, offset) })

  function readOnce(limit: number | undefined, offset: number): Promise<RowsOfResponse<Row>> {
    return queryClient.fetchQuery({ ...source.toQuery(toInput(limit, offset), connection), gcTime: 0, staleTime: 0 })
  }
}

/** The key under which the habits of a service are kept. */
export function pagingDeviationKey({ endpoint }: { endpoint: { path: string } }, connection: Connection) {
  return [endpoint.path, 'paging deviation', connectionIdentity(connection)] as const
}

/** The key of the question what follows a page. */
export function pagingProbeKey(queryKey: readonly unknown[], count: number) {
  return [...queryKey, 'paging probe', count] as const
}
