import * as z from 'zod/mini'
import type { ClientEndpoint } from '../../contract/endpoint'
import { AbortedError, StreamInterruptedError, ResponseSchemaError } from './api-error'
import { misfitText } from './schema-error-text'
import { send, type SendOptions } from './send'

/** Calls an operation that answers with one JSON value, and parses it. Throws an `ApiError`. */
export async function call<Request extends z.core.$ZodType, Answer extends z.core.$ZodType>(
  endpoint: ClientEndpoint<Request, Answer, false>,
  input: z.input<Request>,
  options: SendOptions,
): Promise<z.output<Answer>> {
  const request = { method: endpoint.method, path: endpoint.path }
  const response = await send(endpoint, input, options)
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
  throw new ResponseSchemaError(request, response.status, misfitText(parsed.error))
}
