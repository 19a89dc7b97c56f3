import { queryOptions } from '@tanstack/react-query'
import { type Connection, connectionIdentity } from './connection'
import { type AnyEndpoint, buildRequest, sendRequest } from './fetch-response'

/**
 * Whether a service has an operation that writes, found out without calling it: a GET of its path is 405 there, or 400 or 422
 * where it reads the request first. Anything else counts as no.
 */
export function operationExistsQuery(endpoint: AnyEndpoint, connection: Connection) {
  const { path } = endpoint
  return queryOptions({
    queryKey: [path, 'exists', connectionIdentity(connection)] as const,
    queryFn: async ({ signal }) => {
      const { url } = buildRequest(endpoint, {}, connection.baseUrl)
      const { status } = await sendRequest({ method: 'GET', path, url }, { connection, signal })
      return status === 400 || status === 405 || status === 422
    },
    staleTime: Infinity,
    retry: false,
  })
}
