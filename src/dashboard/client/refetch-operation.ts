import type { QueryClient } from '@tanstack/react-query'
import type { AnyEndpoint } from './fetch-response'

/** Reads again what an operation showed, on every page: something was written. What is not on screen is read when it is. */
export async function refetchOperation(queryClient: QueryClient, { path }: Pick<AnyEndpoint, 'path'>): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [path] })
}

/** Reads again what an operation shows on this page. A request that is under way is not cut off: the next change comes soon. */
export function refetchShown(queryClient: QueryClient, { path }: Pick<AnyEndpoint, 'path'>): Promise<void> {
  return queryClient.refetchQueries({ queryKey: [path], type: 'active' }, { cancelRefetch: false })
}
