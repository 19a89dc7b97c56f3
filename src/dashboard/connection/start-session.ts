import { createSession } from '../../contract/session'
import type { Connection } from '../client/connection'
import { fetchJson } from '../client/fetch-json'
import { NotFoundError, UnreachableError } from '../client/api-error'
import { isFromSpool } from './check-sign-in'

/** The server that this page came from, as somebody who is not signed in. */
export const ownServer: Connection = { id: '', name: '', baseUrl: '', username: '', password: '', projectId: '' }

// Wrong passwords wait some seconds; a server that has no sessions may never answer.
const maxSessionMs = 15_000

type Credentials = { username: string; password: string; isRemembered: boolean }

/**
 * Exchanges a password for a session of the server that this page came from. The browser keeps its token in a cookie that no
 * script can read. Returns undefined where that server has no sessions: one behind `SPOOL_UPSTREAM`, or another service.
 */
export async function startSession({ username, password, isRemembered }: Credentials) {
  try {
    return await fetchJson(
      createSession,
      { username, password, is_remembered: isRemembered },
      { connection: ownServer, signal: AbortSignal.timeout(maxSessionMs) },
    )
  } catch (error) {
    if (error instanceof UnreachableError || (isFromSpool(error) && !(error instanceof NotFoundError))) throw error
    return undefined
  }
}
