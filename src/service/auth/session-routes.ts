import * as z from 'zod/mini'
import { listProjects, redeemSignInCode } from '../../contract/session'
import { defineEndpoint } from '../../contract/endpoint'
import { HttpError } from '../http/http-error'
import { publicRoute, route, type Route } from '../http/route'
import { canAccessProject } from '../http/user'
import type { Store } from '../store/store'
import type { SignInCodes } from './sign-in-codes'

export type SessionDeps = {
  store: Store
  signInCodes: SignInCodes
  /** The project a first visitor is shown; null where there is none. */
  firstProjectId: string | null
}

// Health checks add parameters of their own to get past caches, so these two read nothing of the request.
const anything = z.object({})
const health = defineEndpoint({ method: 'GET', path: '/health', request: anything, response: z.object({ status: z.string() }) })
const serverInfo = defineEndpoint({
  method: 'GET',
  path: '/server_info',
  request: anything,
  response: z.object({ min_required_weave_python_version: z.string(), trace_server_version: z.string() }),
})

const projectsSql = `
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

export function sessionRoutes({ store, signInCodes, firstProjectId }: SessionDeps): Route[] {
  return [
    publicRoute(health, async () => ({ status: 'ok' })),
    // The SDKs ask for this before their first call and stay away where it asks for more than they are.
    route(serverInfo, async () => ({ min_required_weave_python_version: '0.0.0', trace_server_version: '0.1.0' })),
    route(listProjects, async (_, { user, signal }) => {
      const rows = await store.query(projectsSql, {}, ProjectRow, { signal })
      return { projects: rows.map(({ project_id: id }) => id).filter((id) => canAccessProject(user, id)) }
    }),
    publicRoute(redeemSignInCode, async ({ code }) => {
      const user = signInCodes.redeem(code)
      if (user) return { username: user.username, password: user.password, project_id: firstProjectId }
      // Not 401: with its WWW-Authenticate the browser would open a dialog of its own.
      throw new HttpError('forbidden', {
        loc: ['body', 'code'],
        msg: 'This sign-in link was used before or is older than ten minutes. Restart the service for a new one, or sign in by password.',
        type: 'invalid_code',
      })
    }),
  ]
}
