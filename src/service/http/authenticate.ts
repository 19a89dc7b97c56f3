import { HttpError } from './http-error'
import type { User } from './user'
import type { Users } from '../auth/users'

/** Who sends the request. `Authorization` rules over `wandb-api-key`. Throws a `Refusal` for nobody we know. */
export function authenticate(header: (name: string) => string | undefined, users: Users): User {
  const authorization = header('authorization')
  const key = header('wandb-api-key')
  if (authorization === undefined && key === undefined) throw unauthorized('Credentials are needed', 'missing')
  const user = authorization === undefined ? users.findByPassword(key ?? '') : userOf(authorization, users)
  if (!user) throw unauthorized('These credentials are not known here', 'invalid_credentials')
  return user
}

function userOf(authorization: string, users: Users): User | undefined {
  const [scheme = '', ...rest] = authorization.trim().split(/\s+/)
  const value = rest.join(' ')
  if (scheme.toLowerCase() === 'bearer') return users.findByPassword(value)
  if (scheme.toLowerCase() !== 'basic') return undefined
  const text = Buffer.from(value, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : users.find(text.slice(0, colon), text.slice(colon + 1))
}

function unauthorized(what: string, type: string): HttpError {
  return new HttpError(
    'unauthorized',
    { loc: ['header', 'authorization'], msg: `${what}: Authorization: Basic base64(<username>:<password>).`, type },
    { 'www-authenticate': 'Basic realm="spool"' },
  )
}
