import { redeemSignInCode } from '../../contract/session'
import { ApiError } from '../client/api-error'
import { fetchJson } from '../client/fetch-json'
import type { ConnectionStore, SignInNote } from './connection-store'
import { defaultProjectId, newConnection } from './new-connection'

/** Trades the code for credentials and uses them; true when somebody is signed in. */
export async function signInByCode(code: string, store: ConnectionStore): Promise<boolean> {
  store.setRedeeming(true)
  try {
    const connection = { id: '', name: '', baseUrl: '', username: '', password: '', projectId: '' }
    const answer = await fetchJson(redeemSignInCode, { code }, { connection })
    const { connections } = store.getState()
    // The same person on the same server again: their connection, not one more.
    const known = connections.find(({ baseUrl, username }) => baseUrl === '' && username === answer.username)
    const projectId = answer.project_id ?? known?.projectId ?? defaultProjectId
    store.save(
      known ? { ...known, projectId } : { ...newConnection(), name: 'This server', username: answer.username, projectId },
      answer.password,
      true,
    )
    store.setRedeeming(false)
    return true
  } catch (error) {
    store.setRedeeming(false, toSignInNote(error))
    return false
  }
}

function toSignInNote(error: unknown): SignInNote {
  const isRefused = error instanceof ApiError && error.status !== undefined && error.status < 500
  return isRefused
    ? {
        tone: 'warn',
        title: 'This sign-in link does not work any more',
        text: 'A link works once, for ten minutes. Sign in below, or ask for a new link.',
      }
    : {
        tone: 'bad',
        title: 'The sign-in link could not be used',
        text: `${error instanceof Error ? error.message : String(error)} Open the link again, or sign in below.`,
      }
}
