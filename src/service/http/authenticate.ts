import { HttpError } from './http-error'
import type { User } from './user'

/** Finds the user that credentials belong to. */
export type UserDirectory = {
  findByCredentials(username: string, password: string): User | undefined
  findByPassword(password: string): User | undefined
}

/**
 * The user a request's headers identify. `Authorization` wins over `wandb-api-key`. Throws a 401 `HttpError` for missing
 * or wrong credentials.
 */
export function authenticate(header: (name: string) => string | undefined, users: UserDirectory): User {
  const authorization = header('authorization')
  const apiKey = header('wandb-api-key')
  if (authorization === undefined && apiKey === undefined) throw unauthorized('Credentials are required', 'missing')
  const user = authorization === undefined ? users.findByPassword(apiKey ?? '') : findByAuthorization(authorization, users)
  if (!user) throw unauthorized('The username or password is wrong', 'invalid_credentials')
  return user
}

function findByAuthorization(authorization: string, users: UserDirectory): User | undefined {
  const [scheme = '', ...rest] = authorization.trim().split(/\s+/)
  const value = rest.join(' ')
  if (scheme.toLowerCase() === 'bearer') return users.findByPassword(value)
  if (scheme.toLowerCase() !== 'basic') return undefined
  const decoded = Buffer.from(value, 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  return colon < 0 ? undefined : users.findByCredentials(decoded.slice(0, colon), decoded.slice(colon + 1))
}

function unauthorized(reason: string, type: string): HttpError {
  return new HttpError(
    'unauthorized',
    { loc: ['header', 'authorization'], msg: `${reason}. Send Authorization: Basic base64(<username>:<password>).`, type },
    { 'www-authenticate': 'Basic realm="spool"' },
  )
}
