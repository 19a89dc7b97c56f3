import { createQueue } from '../../contract/queues'
import { AbortedError, UnreachableError } from '../client/api-error'
import type { Connection } from '../client/connection'
import { buildRequest } from '../client/fetch-response'
import { RedirectError, sendProbe } from './send-probe'

/** A path that no service has: what it answers there says nothing about the operation. */
const controlPath = '/no-such-operation'

/** Some services never answer requests that they do not know. */
const maxWaitMs = 5000

/**
 * Finds out whether queues can be created, and creates none. A POST is never sent: a tolerant service could make a queue even
 * of an invalid one. OPTIONS names the methods of a path (RFC 9110, section 9.3.7), and a GET of a path that takes only other
 * methods is 405. Where the service answers an unknown path in the same way, or says nothing, it stays untold.
 *
 * A Spool at another origin allows no OPTIONS in CORS, and lets no page read its response to an unknown path.
 */
export async function probeCreateQueue(connection: Connection, signal: AbortSignal): Promise<'exists' | 'untold'> {
  const { url } = buildRequest(createQueue, {}, connection.baseUrl)
  const ask = async (method: string, path: string) => {
    const request = { method, path, url: url.replace(createQueue.path, path) }
    try {
      return await sendProbe(request, connection, AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)]))
    } catch (error) {
      // Some send everything that they do not know to a sign-in page.
      if (error instanceof AbortedError || error instanceof RedirectError) return undefined
      if (error instanceof UnreachableError && (method === 'OPTIONS' || path === controlPath)) return undefined
      throw error
    }
  }
  const options = await ask('OPTIONS', createQueue.path)
  if (options && /\bPOST\b/i.test(options.headers.get('allow') ?? '')) return 'exists'
  const get = await ask('GET', createQueue.path)
  // 405: it takes other methods. 400 and 422: it reads the request.
  if (!get || ![400, 405, 422].includes(get.status)) return 'untold'
  const control = await ask('GET', controlPath)
  return control?.status === get.status ? 'untold' : 'exists'
}
