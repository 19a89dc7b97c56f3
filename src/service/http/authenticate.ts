import type { Context } from 'hono'
import { sessionUserHeader } from '../../contract/http'
import { HttpError } from './http-error'
import { isOwnOrigin } from './origin-check'
import { readSessionToken } from './session-cookie'
import type { User } from './user'

/** Finds the user that credentials belong to. */
export type UserDirectory = {
  findByCredentials(username: string, password: string): User | undefined
  findByPassword(password: string): User | undefined
}

/** Finds the user of a session by the token in the cookie. */
export type SessionDirectory = { findUser(token: string): User | undefined }

type Header = (name: string) => string | undefined

/** Whether the request is to be authenticated by its session cookie: other credentials win, except on requests of the dashboard. */
export function usesSession(header: Header): boolean {
  // A browser adds a password that was once typed into its own dialog to the requests of every page of this service.
  if (header(sessionUserHeader) !== undefined) return true
  return !hasCredentials(header) && readSessionToken(header) !== undefined
}

/**
 * The user of the session cookie. Throws a 401 `HttpError` without a `WWW-Authenticate` header, which would make the browser
 * open its own dialog, and 403 for a request that another site's page may have sent.
 */
export function authenticateBySession(c: Context, sessions: SessionDirectory | undefined): User {
  const header = (name: string) => c.req.header(name)
  requireOwnPage(c)
  const user = sessions?.findUser(readSessionToken(header) ?? '')
  if (!user) throw sessionError('Your session has ended. Sign in again.', 'session_ended')
  const expectedUser = header(sessionUserHeader)
  if (expectedUser !== undefined && expectedUser !== encodeURIComponent(user.username)) {
    throw sessionError(
      `The user '${user.username}' has signed in in this browser since. Sign in again.`,
      'session_of_another_user',
    )
  }
  return user
}

/**
 * Throws 403 unless a page of this service sent the request: browsers add the cookie to the requests of other ports too.
 * They send Origin with every request but GET and HEAD, so without it a program has sent the cookie that it took somewhere.
 */
export function requireOwnPage(c: Context): void {
  const hasOrigin = c.req.method === 'GET' || c.req.method === 'HEAD' || c.req.header('origin') !== undefined
  if (hasOrigin && isOwnOrigin(c)) return
  throw new HttpError('forbidden', {
    loc: ['header', 'origin'],
    msg: 'A session works only for pages of this service, and this request is not from one. Send a password instead.',
    type: 'foreign_origin',
  })
}

/**
 * The user a request's headers identify. `Authorization` wins over `wandb-api-key`. Throws a 401 `HttpError` for missing
 * or wrong credentials.
 */
export function authenticate(header: Header, users: UserDirectory): User {
  const authorization = header('authorization')
  const apiKey = header('wandb-api-key')
  if (!hasCredentials(header)) {
    throw unauthorized(header, 'Credentials are required. Send Authorization: Basic base64(<username>:<password>).', 'missing')
  }
  const user = authorization === undefined ? users.findByPassword(apiKey ?? '') : findByAuthorization(authorization, users)
  if (!user) throw unauthorized(header, 'The username or password is wrong.', 'invalid_credentials')
  return user
}

/** Throws the 401 of a sign-in form. */
export function wrongPassword(): never {
  throw new HttpError('unauthorized', {
    loc: ['body', 'password'],
    msg: 'The username or password is wrong.',
    type: 'invalid_credentials',
  })
}

export function hasCredentials(header: Header): boolean {
  return header('authorization') !== undefined || header('wandb-api-key') !== undefined
}

function findByAuthorization(authorization: string, users: UserDirectory): User | undefined {
  const [scheme, value] = splitAuthorization(authorization)
  if (scheme === 'bearer') return users.findByPassword(value)
  const credentials = scheme === 'basic' ? parseBasic(value) : undefined
  return credentials && users.findByCredentials(credentials.username, credentials.password)
}

/** The name that Basic credentials are for, whether or not they are correct. */
export function claimedUsername(header: Header): string | undefined {
  const [scheme, value] = splitAuthorization(header('authorization') ?? '')
  return scheme === 'basic' ? parseBasic(value)?.username : undefined
}

function splitAuthorization(authorization: string): [scheme: string, value: string] {
  const [scheme = '', ...rest] = authorization.trim().split(/\s+/)
  return [scheme.toLowerCase(), rest.join(' ')]
}

function parseBasic(value: string): { username: string; password: string } | undefined {
  const decoded = Buffer.from(value, 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  return colon < 0 ? undefined : { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) }
}

function unauthorized(header: Header, msg: string, type: string): HttpError {
  return new HttpError(
    'unauthorized',
    { loc: ['header', 'authorization'], msg, type },
    readSessionToken(header) === undefined ? { 'www-authenticate': 'Basic realm="spool"' } : {},
  )
}

function sessionError(msg: string, type: string): HttpError {
  return new HttpError('unauthorized', { loc: ['header', 'cookie'], msg, type })
}
