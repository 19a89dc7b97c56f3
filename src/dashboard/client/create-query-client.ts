import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, BusyError, UnauthorizedError } from './api-error'

/** The cache all answers go through. `onUnauthorized` hears of every 401, whoever asked. */
export function createQueryClient({ onUnauthorized }: { onUnauthorized: (error: UnauthorizedError) => void }): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof UnauthorizedError) onUnauthorized(error)
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        // The server may be on this machine: the browser's guess about being online says nothing.
        networkMode: 'always',
        // Rows change when the person or their chosen interval asks, not because a window got focus.
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
