import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, BusyError, UnauthorizedError } from './api-error'

// Every service has these. Another operation that says 401 may just be unknown there.
const mainPaths = new Set(['/cost/query', '/threads/stream_query', '/annotation_queues'])

/** The cache of all responses. `onUnauthorized` is called for each 401 of an operation that every service has. */
export function createQueryClient({ onUnauthorized }: { onUnauthorized: (error: UnauthorizedError) => void }): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof UnauthorizedError && mainPaths.has(error.request.path)) onUnauthorized(error)
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        // The server may run on this machine, so the browser's online state says nothing about it.
        networkMode: 'always',
        // Rows change when the person or the chosen interval asks for it, not because the window got the focus.
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        staleTime: 30_000,
        retry: (failures, error) => failures < 1 && error instanceof ApiError && error.isTransient,
        retryDelay: (_, error) => (error instanceof BusyError ? Math.min(error.retryAfterSeconds ?? 1, 5) * 1000 : 300),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}
