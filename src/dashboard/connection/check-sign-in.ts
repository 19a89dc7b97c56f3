import { queryCosts } from '../../contract/costs'
import { listProjects } from '../../contract/session'
import { NotFoundError, StatusError } from '../client/api-error'
import { fetchJson } from '../client/fetch-json'
import type { Connection } from '../client/connection'

/**
 * Checks credentials and finds a project to begin with: the wanted one, or where the server knows it not, the first one
 * it has. Throws the `ApiError` that says what is wrong.
 */
export async function checkSignIn(connection: Connection, isProjectChosen: boolean, signal?: AbortSignal): Promise<string> {
  try {
    const { projects } = await fetchJson(listProjects, {}, { connection, signal })
    const isKnown = projects.includes(connection.projectId)
    return isKnown || isProjectChosen ? connection.projectId : (projects[0] ?? connection.projectId)
  } catch (error) {
    const isUnknownOperation = error instanceof NotFoundError || (error instanceof StatusError && error.status === 405)
    if (!isUnknownOperation) throw error
    // The hosted original has no list of projects; it has costs.
    await fetchJson(queryCosts, { project_id: connection.projectId, limit: 0 }, { connection, signal })
    return connection.projectId
  }
}
