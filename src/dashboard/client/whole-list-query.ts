import type { QueryClient } from '@tanstack/react-query'
import { type Connection, connectionIdentity } from './connection'
import { incrementalQuery } from './endpoint-query'
import { maxRowsRead } from './parse-rows'
import type { WantedPage } from './read-whole-list'
import { retryFailed } from './retry-schedule'
import type { RowQuery, RowSource } from './row-source'

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

type FetchOptions = {
  queryClient: QueryClient
  signal: AbortSignal
  /** Whether a request that failed is sent again, on the schedule of everything that failed. */
  onFailure?: (error: Error) => boolean
}
type ReadOptions = FetchOptions & { pageSize: number; maxRows: number }

/** Reads one page: until it is there, fails for good, or is stopped. */
export async function readOnce<Row>(query: RowQuery<Row>, { queryClient, signal, onFailure }: FetchOptions) {
  // Otherwise the next export would join this request, and end with it.
  const cancel = () => void queryClient.cancelQueries({ queryKey: query.queryKey })
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await retryFailed(() => queryClient.fetchQuery({ ...query, gcTime: 0, staleTime: 0 }), { signal, onFailure })
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Reads all rows of a list, whatever the service does with pages. */
export async function readList<Input, Row>(
  { source, toInput, connection }: List<Input, Row>,
  { pageSize, maxRows, ...options }: ReadOptions,
) {
  const { readWholeList } = await import('./read-whole-list')
  const readPage = async ({ limit, offset }: WantedPage) => readOnce(source.toQuery(toInput(limit, offset), connection), options)
  return readWholeList<Row>({ pageSize, maxRows, signal: options.signal, readPage })
}

/** The key under which the habits of a service are kept. */
export function pagingDeviationKey({ endpoint }: { endpoint: { path: string } }, connection: Connection) {
  return [endpoint.path, 'paging deviation', connectionIdentity(connection)] as const
}

/** The key of the question what follows a page. */
export function pagingProbeKey(queryKey: readonly unknown[], count: number) {
  return [...queryKey, 'paging probe', count] as const
}
