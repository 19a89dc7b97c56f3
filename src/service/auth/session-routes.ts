import * as z from 'zod/mini'
import { defineEndpoint } from '../../contract/endpoint'
import { listProjects, redeemSignInCode } from '../../contract/session'
import { HttpError } from '../http/http-error'
import { publicRoute, route, type Route } from '../http/route'
import { canAccessProject } from '../http/user'
import { sql } from '../store/sql'
import type { Store } from '../store/store'
import type { SignInCodes } from './sign-in-codes'

export type SessionDeps = {
  store: Store
  signInCodes: SignInCodes
  /** The project that a sign-in link opens, if any. */
  initialProjectId: string | null
}

// Not strict: health checks add query parameters to get past caches.
const anyRequest = z.object({})
const health = defineEndpoint({ method: 'GET', path: '/health', request: anyRequest, response: z.object({ status: z.string() }) })
const serverInfo = defineEndpoint({
  method: 'GET',
  path: '/server_info',
  request: anyRequest,
  response: z.object({ min_required_weave_python_version: z.string(), trace_server_version: z.string() }),
})

// An odd revision of an object version is a deletion.
const projectsSql = sql`
  SELECT DISTINCT project_id FROM (
    SELECT project_id FROM calls
    UNION ALL SELECT project_id FROM costs FINAL WHERE is_deleted = 0
    UNION ALL SELECT project_id FROM queues FINAL WHERE deleted_at IS NULL
    UNION ALL SELECT project_id FROM object_versions FINAL WHERE revision % 2 = 0
  )
  WHERE project_id != ''
  ORDER BY project_id
`
const ProjectRow = z.object({ project_id: z.string() })

export function sessionRoutes({ store, signInCodes, initialProjectId }: SessionDeps): Route[] {
  return [
    publicRoute(health, async () => ({ status: 'ok' })),
    // SDKs ask for this before their first call, and send nothing if it requires a newer version than theirs.
    route(serverInfo, async () => ({ min_required_weave_python_version: '0.0.0', trace_server_version: '0.1.0' })),
    route(listProjects, async (_, { user, reader }) => {
      const rows = await store.query(projectsSql, ProjectRow, reader)
      return { projects: rows.map((row) => row.project_id).filter((projectId) => canAccessProject(user, projectId)) }
    }),
    publicRoute(redeemSignInCode, async ({ code }) => {
      const user = signInCodes.redeem(code)
      if (user) return { username: user.username, password: user.password, project_id: initialProjectId }
      // Not 401: its WWW-Authenticate header makes the browser open its own sign-in dialog.
      throw new HttpError('forbidden', {
        loc: ['body', 'code'],
        msg: 'This sign-in link was already used or is older than ten minutes. Restart the service for a new link, or sign in with your password.',
        type: 'invalid_code',
      })
    }),
  ]
}
