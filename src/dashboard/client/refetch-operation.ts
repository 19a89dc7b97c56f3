import type { QueryClient } from '@tanstack/react-query'
import type { AnyEndpoint } from './fetch-response'

/** Reads again what an operation showed, on every page: something was written. What is not on screen is read when it is. */
export async function refetchOperation(queryClient: QueryClient, { path }: Pick<AnyEndpoint, 'path'>): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [path] })
}
