import { queryOptions } from '@tanstack/react-query'
import { streamEvents } from '../../contract/events'
import { type Connection, connectionIdentity, usesSession } from './connection'
import { buildRequest, sendRequest } from './fetch-response'

/** Whether a service tells what changed. A Spool does; of another one the head of the response says it. */
export function eventsExistQuery(connection: Connection) {
  const { path } = streamEvents
  return queryOptions({
    queryKey: [path, 'exists', connectionIdentity(connection), connection.projectId] as const,
    queryFn: async ({ signal }) => {
      if (usesSession(connection)) return true
      const { url } = buildRequest(streamEvents, { project_id: connection.projectId }, connection.baseUrl)
      const { ok, headers } = await sendRequest({ method: 'HEAD', path, url }, { connection, signal })
      return ok && (headers.get('content-type')?.startsWith('text/event-stream') ?? false)
    },
    staleTime: Infinity,
    retry: false,
  })
}
