import { endAllSessions, endSession } from '../../contract/session'
import { UnauthorizedError } from '../client/api-error'
import { type Connection, usesSession } from '../client/connection'
import { fetchJson } from '../client/fetch-json'

/**
 * Ends the session of this browser, or all of its user. Does nothing for a connection with a password. Throws an `ApiError`
 * if the session may still be valid: only the server can delete its cookie.
 */
export async function endServerSession(connection: Connection, isEverywhere: boolean): Promise<void> {
  if (!usesSession(connection)) return
  try {
    await fetchJson(isEverywhere ? endAllSessions : endSession, {}, { connection })
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error // it has ended already
  }
}
