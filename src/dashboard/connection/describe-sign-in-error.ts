import { createSession } from '../../contract/session'
import { BusyError, ForbiddenError, UnauthorizedError } from '../client/api-error'

/** What the sign-in form says about a failure. */
export function describeSignInError(error: Error): { title: string; text: string } {
  if (error instanceof UnauthorizedError) return { title: 'Not signed in', text: 'The username or password is wrong.' }
  if (error instanceof ForbiddenError) return { title: 'You have no access to this project', text: error.message }
  return { title: 'Signing in failed', text: isThrottled(error) ? describeThrottling(error) : error.message }
}

/** The service limits failed passwords. Any other request of the sign-in has 429 only where the server is too busy. */
function isThrottled(error: Error): error is BusyError {
  if (!(error instanceof BusyError)) return false
  const { method, path } = error.request
  return error.status === 429 && method === createSession.method && path === createSession.path
}

function describeThrottling({ retryAfterSeconds }: BusyError): string {
  return `Too many failed sign-ins. Try again ${retryAfterSeconds === undefined ? 'later' : `in ${retryAfterSeconds} s`}.`
}
