import { createQueue } from '../../contract/queues'
import { UnreachableError } from '../client/api-error'
import type { Connection } from '../client/connection'
import { buildRequest, toApiError } from '../client/fetch-response'
import { sendProbe } from './send-probe'

const { path } = createQueue

/**
 * Finds out whether queues can be created, and creates none. A POST is never sent: a tolerant service could make a queue even
 * of an invalid one. OPTIONS names the methods of a path (RFC 9110, section 9.3.7), and a GET of a path that takes only other
 * methods is 405. Where both say nothing, for example a 404 of a framework that looks for the method first, it stays untold.
 */
export async function probeCreateQueue(connection: Connection, signal: AbortSignal): Promise<'exists' | 'untold'> {
  const { url } = buildRequest(createQueue, {}, connection.baseUrl)
  const ask = (method: string) => sendProbe({ method, path, url }, connection, signal)
  const options = await ask('OPTIONS').catch((error: unknown) => {
    // Services that allow only GET and POST to other origins refuse it in CORS.
    if (error instanceof UnreachableError) return undefined
    throw error
  })
  if (options && /\bPOST\b/i.test(options.headers.get('allow') ?? '')) return 'exists'
  const get = await ask('GET')
  // 405: it takes other methods. 400 and 422: it reads the request.
  if ([400, 405, 422].includes(get.status)) return 'exists'
  if (get.ok || get.status === 404 || get.status === 501) return 'untold'
  throw await toApiError(get, { method: 'GET', path })
}
