import { redeemSignInCode } from '../../contract/session'
import { ApiError, BusyError } from '../client/api-error'
import { fetchJson } from '../client/fetch-json'
import type { ConnectionStore, SignInNote } from './connection-store'
import { defaultProjectId, newConnection } from './new-connection'
import { ownServer } from './start-session'

/** Exchanges the code for a session. Returns whether that worked. The code is only ever sent to the server of this page. */
export async function signInByCode(code: string, store: ConnectionStore): Promise<boolean> {
  store.setRedeeming(true)
  try {
    const session = await fetchJson(redeemSignInCode, { code }, { connection: ownServer })
    const { connections } = store.getState()
    // The same user on the same server keeps the existing connection.
    const known = connections.find(({ baseUrl, username }) => baseUrl === '' && username === session.username)
    const projectId = session.project_id ?? known?.projectId ?? defaultProjectId
    store.startSession(
      known ? { ...known, projectId } : { ...newConnection(), name: 'This server', username: session.username, projectId },
    )
    store.setRedeeming(false)
    return true
  } catch (error) {
    store.setRedeeming(false, toSignInNote(error))
    return false
  }
}

function toSignInNote(error: unknown): SignInNote {
  // The link may still work: the server limits attempts before it says whether a code is wrong.
  if (error instanceof BusyError && error.status === 429) {
    const when = error.retryAfterSeconds === undefined ? 'later' : `in ${error.retryAfterSeconds} s`
    return { tone: 'warn', title: 'Too many attempts to sign in', text: `Open the link again ${when}, or sign in below.` }
  }
  const isRejected = error instanceof ApiError && error.status !== undefined && error.status < 500
  return isRejected
    ? {
        tone: 'warn',
        title: 'This sign-in link does not work any more',
        text: 'A link works only once and expires after ten minutes. Sign in below, or ask for a new link.',
      }
    : {
        tone: 'bad',
        title: 'The sign-in link could not be used',
        text: `${error instanceof Error ? error.message : String(error)} Open the link again, or sign in below.`,
      }
}
