import { receiveCosts } from '../../contract/received-costs'
import { listProjects } from '../../contract/session'
import { NotFoundError, ResponseSchemaError, StatusError } from '../client/api-error'
import { fetchJson } from '../client/fetch-json'
import type { Connection } from '../client/connection'

/**
 * Checks the credentials and returns the project to start with: the wanted one, or the server's first project where it does
 * not have the wanted one. Throws an `ApiError`.
 */
export async function checkSignIn(connection: Connection, isProjectChosen: boolean, signal?: AbortSignal): Promise<string> {
  try {
    const { projects } = await fetchJson(listProjects, {}, { connection, signal })
    const isKnown = projects.includes(connection.projectId)
    return isKnown || isProjectChosen ? connection.projectId : (projects[0] ?? connection.projectId)
  } catch (error) {
    if (!isUnknownOperation(error)) throw error
    // The hosted W&B Weave service has no list of projects, but it has costs.
    await fetchJson(receiveCosts, { project_id: connection.projectId, limit: 0 }, { connection, signal })
    return connection.projectId
  }
}

/** Whether a server does not have an operation. Some send a page of HTML for every path. */
export function isUnknownOperation(error: unknown): boolean {
  if (error instanceof NotFoundError || error instanceof ResponseSchemaError) return true
  return error instanceof StatusError && (error.status === 405 || error.status === 501)
}
