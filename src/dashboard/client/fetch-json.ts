import * as z from 'zod/mini'
import type { ClientEndpoint } from '../../contract/endpoint'
import { AbortedError, StreamInterruptedError, ResponseSchemaError } from './api-error'
import { formatSchemaError } from './format-schema-error'
import { fetchResponse, type RequestOptions } from './fetch-response'

/** Requests an operation that responds with one JSON value, and parses the value. Throws an `ApiError`. */
export async function fetchJson<Request extends z.core.$ZodType, Body extends z.core.$ZodType>(
  endpoint: ClientEndpoint<Request, Body, false>,
  input: z.input<Request>,
  options: RequestOptions,
): Promise<z.output<Body>> {
  const request = { method: endpoint.method, path: endpoint.path }
  const response = await fetchResponse(endpoint, input, options)
  let value: unknown
  try {
    value = await response.json()
  } catch (cause) {
    if (options.signal?.aborted) throw new AbortedError(request, { cause })
    if (cause instanceof SyntaxError) throw new ResponseSchemaError(request, response.status, 'it is not JSON.', { cause })
    throw new StreamInterruptedError(request, { cause })
  }
  const parsed = z.safeParse(endpoint.response, value)
  if (parsed.success) return parsed.data
  throw new ResponseSchemaError(request, response.status, formatSchemaError(parsed.error))
}
