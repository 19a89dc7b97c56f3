import { isMissingOperation, UnauthorizedError, UnreachableError } from './api-error'
import type { Connection } from './connection'

/**
 * Whether a failure may say that the service has no such operation. Of another origin browsers say no more than "no response",
 * because its 404 allows no reading, and some services reject unknown paths with 401: a session that ended shows elsewhere too.
 */
export function mayLackOperation(error: unknown, { baseUrl }: Connection): boolean {
  return isMissingOperation(error) || error instanceof UnauthorizedError || (error instanceof UnreachableError && baseUrl !== '')
}
