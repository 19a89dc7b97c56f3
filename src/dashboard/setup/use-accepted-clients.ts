import { useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { defineEndpoint } from '../../contract/endpoint'
import { ApiError, ResponseSchemaError } from '../client/api-error'
import { useConnection } from '../client/connection-context'
import { endpointQuery } from '../client/endpoint-query'
import { fetchJson } from '../client/fetch-json'
import { type Client, clients } from './setup-view'

// Requests with nothing in them store nothing.
const sendNoCalls = defineEndpoint({
  path: '/call/upsert_batch',
  request: z.object({ batch: z.array(z.never()) }),
  response: z.object({}),
})
const sendNoSpans = defineEndpoint({
  path: '/otel/v1/traces',
  request: z.object({ resourceSpans: z.array(z.never()) }),
  response: z.object({}),
})

/** The guides appear then even if a server leaves the question open. */
const maxWaitMs = 3000

/**
 * The clients whose data this server takes, undefined until that is known. A service of the three main operations takes none,
 * and one behind `SPOOL_UPSTREAM` takes no OpenTelemetry.
 */
export function useAcceptedClients(): readonly Client[] | undefined {
  const connection = useConnection()
  const options = { retry: false, staleTime: 300_000 }
  const withTimeout = (signal: AbortSignal) => ({ connection, signal: AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)]) })
  const calls = useQuery({
    ...endpointQuery(sendNoCalls, { batch: [] }, connection),
    ...options,
    queryFn: ({ signal }) => fetchJson(sendNoCalls, { batch: [] }, withTimeout(signal)),
  })
  const spans = useQuery({
    ...endpointQuery(sendNoSpans, { resourceSpans: [] }, connection),
    ...options,
    queryFn: ({ signal }) => fetchJson(sendNoSpans, { resourceSpans: [] }, withTimeout(signal)),
  })
  if (calls.isPending || spans.isPending) return undefined
  return clients.filter((client) => !isMissing(client === 'weave' || client === 'curl' ? calls.error : spans.error))
}

/** After any other failure the route may exist: the server is away, or this user may not write. */
function isMissing(error: Error | null): boolean {
  return error instanceof ResponseSchemaError || (error instanceof ApiError && [404, 405, 501].includes(error.status ?? 0))
}
