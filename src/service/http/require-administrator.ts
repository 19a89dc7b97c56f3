import { HttpError } from './http-error'
import type { User } from './user'

/** Throws 403 for a user without access to every project. `act` says what only administrators may do. */
export function requireAdministrator(user: User, act: string): void {
  if (user.projects === '*') return
  throw new HttpError('forbidden', {
    loc: ['header', 'authorization'],
    msg: `Only an administrator, a user with access to every project, may ${act}.`,
    type: 'forbidden',
  })
}
