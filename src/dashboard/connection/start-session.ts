import { createSession } from '../../contract/session'
import type { Connection } from '../client/connection'
import { fetchJson } from '../client/fetch-json'
import { isUnknownOperation } from './check-sign-in'

/** The server that this page came from, as somebody who is not signed in. */
export const ownServer: Connection = { id: '', name: '', baseUrl: '', username: '', password: '', projectId: '' }

type Credentials = { username: string; password: string; isRemembered: boolean }

/**
 * Exchanges a password for a session of the server that this page came from. The browser keeps its token in a cookie that no
 * script can read. Returns undefined where that server has no sessions: one behind `SPOOL_UPSTREAM`, or another service.
 */
export async function startSession({ username, password, isRemembered }: Credentials) {
  try {
    return await fetchJson(createSession, { username, password, is_remembered: isRemembered }, { connection: ownServer })
  } catch (error) {
    if (isUnknownOperation(error)) return undefined
    throw error
  }
}
