import * as z from 'zod/mini'
import { defineEndpoint } from '../../contract/endpoint'
import {
  createSession,
  endAllSessions,
  endSession,
  listProjects,
  readServerInfo,
  readSession,
  redeemSignInCode,
} from '../../contract/session'
import { HttpError } from '../http/http-error'
import { publicRoute, type PublicContext, route, type Route } from '../http/route'
import { formatEndedCookie, formatSessionCookie, readSessionToken } from '../http/session-cookie'
import { canAccessProject, type User } from '../http/user'
import { sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'
import { maxAgeMs, type Sessions } from './sessions'
import type { SignInCodes } from './sign-in-codes'

export type SessionDeps = {
  store: Store
  callProjects: { list: (options: QueryOptions) => Promise<ReadonlySet<string>> }
  sessions: Sessions
  signInCodes: SignInCodes
  /** The project that a sign-in opens, for users who may open it. */
  initialProjectId: string | null
  writer: {
    /** Projects with calls that are acknowledged and not visible to queries yet. */
    listUnsettledProjects: (options: QueryOptions) => Promise<readonly string[]>
  }
}

// Not strict: health checks add query parameters to get past caches.
const anyRequest = z.object({})
const health = defineEndpoint({ method: 'GET', path: '/health', request: anyRequest, response: z.object({ status: z.string() }) })

// An odd revision of an object version is a deletion.
const projectsSql = sql`
  SELECT DISTINCT project_id FROM (
    SELECT project_id FROM costs FINAL WHERE is_deleted = 0
    UNION ALL SELECT project_id FROM queues FINAL WHERE deleted_at IS NULL
    UNION ALL SELECT project_id FROM object_versions FINAL WHERE revision % 2 = 0
  )
  WHERE project_id != ''
`
const ProjectRow = z.object({ project_id: z.string() })

export function sessionRoutes({ store, callProjects, sessions, signInCodes, initialProjectId, writer }: SessionDeps): Route[] {
  const start = async (user: User, isRemembered: boolean, { header, setHeader }: PublicContext) => {
    const token = await sessions.create(user, isRemembered, readSessionToken(header))
    setHeader('set-cookie', formatSessionCookie(header, token, isRemembered ? maxAgeMs / 1000 : undefined))
    const mayOpen = initialProjectId !== null && canAccessProject(user, initialProjectId)
    return { username: user.username, project_id: mayOpen ? initialProjectId : null }
  }
  return [
    publicRoute(health, async () => {
      if (store.failure) throw store.failure
      return { status: 'ok' }
    }),
    // SDKs ask for this before their first call, and send nothing if it requires a newer version than theirs.
    route(readServerInfo, async () => ({
      min_required_weave_python_version: '0.0.0',
      trace_server_version: '0.1.0',
      service: 'spool',
    })),
    route(listProjects, async (_, { user, reader }) => {
      // First: what is visible by the end of it is found by the statements after it.
      const unsettled = await writer.listUnsettledProjects(reader)
      const ofCalls = await callProjects.list(reader)
      const stored = (await store.query(projectsSql, ProjectRow, reader)).map((row) => row.project_id)
      const projects = [...new Set([...ofCalls, ...stored, ...unsettled])].toSorted()
      return { projects: projects.filter((projectId) => canAccessProject(user, projectId)) }
    }),
    publicRoute(createSession, async ({ username, password, is_remembered }, context) => {
      requireNoForeignPage(context)
      return await start(await context.signIn(username, password), is_remembered, context)
    }),
    publicRoute(redeemSignInCode, async ({ code }, context) => {
      requireNoForeignPage(context)
      const user = await context.slowFailures(() => signInCodes.redeem(code) ?? invalidCode())
      return await start(user, false, context)
    }),
    publicRoute(readSession, async (_, { header, authenticate }) => {
      const user = await authenticate().catch(withoutChallenge)
      const expiresAt = sessions.expiryOf(readSessionToken(header) ?? '')
      return {
        username: user.username,
        projects: user.projects,
        expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
        session_count: sessions.countOf(user),
      }
    }),
    // Public, so that signing out also works when the session has ended already.
    publicRoute(endSession, async (_, { header, setHeader, requireOwnPage }) => {
      const token = readSessionToken(header)
      if (token !== undefined) requireOwnPage()
      if (token !== undefined) await endOnDisk(() => sessions.end(token))
      setHeader('set-cookie', formatEndedCookie(header))
      return {}
    }),
    route(endAllSessions, async (_, { user, header, setHeader }) => {
      await endOnDisk(() => sessions.endAll(user))
      setHeader('set-cookie', formatEndedCookie(header))
      return {}
    }),
  ]
}

function invalidCode(): never {
  throw new HttpError('forbidden', {
    loc: ['body', 'code'],
    msg: 'This sign-in link was already used or is older than ten minutes. Restart the service for a new link, or sign in with your password.',
    type: 'invalid_code',
  })
}

/** A page of another site must not sign its visitors in. */
function requireNoForeignPage({ header, requireOwnPage }: PublicContext): void {
  if (header('origin') !== undefined || readSessionToken(header) !== undefined) requireOwnPage()
}

/** Without its WWW-Authenticate header, which would make the browser open its own dialog. */
function withoutChallenge(error: unknown): never {
  throw error instanceof HttpError && error.kind === 'unauthorized' ? new HttpError(error.kind, error.problems) : error
}

async function endOnDisk(end: () => Promise<void>): Promise<void> {
  await end().catch(() => {
    const msg = 'You are signed out, but that could not be stored: a restart would bring the session back. Sign out again later.'
    throw new HttpError('unavailable', { loc: [], msg, type: 'not_stored' }, { 'retry-after': '5' })
  })
}
