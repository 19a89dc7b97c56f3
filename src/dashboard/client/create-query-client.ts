import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, BusyError, UnauthorizedError } from './api-error'
import { endRetryPause, waitForRetry } from './retry-schedule'

// Every service has these. Another operation that says 401 may just be unknown there.
const mainPaths = new Set(['/cost/query', '/threads/stream_query', '/annotation_queues'])

/**
 * The cache of all responses. `onUnauthorized` is called for each 401 of an operation that every service has, and of queries
 * and mutations whose `meta` says `endsSession`: the service is known to have them. A query on screen that failed because the
 * server was away is sent again until it succeeds.
 */
export function createQueryClient({ onUnauthorized }: { onUnauthorized: (error: UnauthorizedError) => void }): QueryClient {
  const onError = (error: Error, meta: Record<string, unknown> = {}) => {
    if (error instanceof UnauthorizedError && (meta['endsSession'] === true || mainPaths.has(error.request.path)))
      onUnauthorized(error)
  }
  const retryLater = async ({ queryKey, state: { error } }: Query<unknown, unknown>) => {
    await waitForRetry()
    // Not if something else has sent it meanwhile: its new failure waits for itself.
    const predicate = (query: { state: { error: unknown } }) => query.state.error === error
    await client.refetchQueries({ queryKey, exact: true, type: 'active', predicate }, { cancelRefetch: false })
  }
  const client = new QueryClient({
    queryCache: new QueryCache({
      onSuccess: endRetryPause,
      onError: (error, query) => {
        onError(error, query.meta)
        if (isTransient(error)) void retryLater(query)
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, { meta }) => onError(error, meta),
    }),
    defaultOptions: {
      queries: {
        // The server may run on this machine, so the browser's online state says nothing about it.
        networkMode: 'always',
        // Rows change when the person or the chosen interval asks for it, not because the window got the focus.
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // Nobody sends a failed query again while its page is closed.
        refetchOnMount: ({ state }) => (state.error ? 'always' : true),
        staleTime: 30_000,
        retry: (failures, error) => failures < 1 && isTransient(error),
        retryDelay: (_, error) => (error instanceof BusyError ? Math.min(error.retryAfterSeconds ?? 1, 5) * 1000 : 300),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  return client
}

function isTransient(error: unknown): boolean {
  return error instanceof ApiError && error.isTransient
}
