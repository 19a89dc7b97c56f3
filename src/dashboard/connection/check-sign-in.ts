import { receiveCosts } from '../../contract/received-costs'
import { listProjects } from '../../contract/session'
import { ApiError, UnauthorizedError, ValidationError } from '../client/api-error'
import { fetchJson } from '../client/fetch-json'
import type { Connection } from '../client/connection'

/** A list of projects is a convenience: nobody waits longer for it. */
const maxProjectsMs = 3000

/**
 * Checks the credentials and returns the project to start with: the wanted one, or the server's first project where it does
 * not have the wanted one. Every service has costs; whatever another operation answers does not keep anybody out. Throws an
 * `ApiError`.
 */
export async function checkSignIn(connection: Connection, isProjectChosen: boolean, signal?: AbortSignal): Promise<string> {
  const timeout = AbortSignal.timeout(maxProjectsMs)
  const options = { connection, signal: signal ? AbortSignal.any([signal, timeout]) : timeout }
  try {
    const { projects } = await fetchJson(listProjects, {}, options)
    const isKnown = projects.includes(connection.projectId)
    return isKnown || isProjectChosen ? connection.projectId : (projects[0] ?? connection.projectId)
  } catch (error) {
    if (isFromSpool(error) && error instanceof UnauthorizedError) throw error
    await checkCosts(connection, signal)
    return connection.projectId
  }
}

async function checkCosts(connection: Connection, signal?: AbortSignal): Promise<void> {
  try {
    await fetchJson(receiveCosts, { project_id: connection.projectId, limit: 1 }, { connection, signal })
  } catch (error) {
    // Credentials are checked before the request: the server knows this user.
    if (!(error instanceof ValidationError)) throw error
  }
}

/** Whether an error has the form of the contract. Other services answer unknown paths in many ways. */
export function isFromSpool(error: unknown): boolean {
  return error instanceof ApiError && error.problems.length > 0
}
