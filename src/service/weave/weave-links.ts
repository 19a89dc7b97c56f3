import { Hono } from 'hono'
import * as z from 'zod/mini'
import type { SessionDirectory } from '../http/authenticate'
import type { HttpEnv } from '../http/http-env'
import { readSessionToken } from '../http/session-cookie'
import { canAccessProject } from '../http/user'
import { callsWhere } from '../store/merged-calls'
import { textOrNull } from '../store/row-types'
import { sql } from '../store/sql'
import type { Store } from '../store/store'

type WeaveLinkDeps = { store: Store; sessions: SessionDirectory }

/**
 * Weave's clients print links to pages that W&B has: `/acme/support/weave` when they start and `/acme/support/r/call/<id>` for
 * each call. Here the second leads to the thread of the call, and where there is none both lead to the threads of the project.
 */
export function weaveLinks({ store, sessions }: WeaveLinkDeps): Hono<HttpEnv> {
  const links = new Hono<HttpEnv>()
  links.get('/:entity/:project/weave/*', (c) => {
    const { entity, project } = c.req.param()
    return c.redirect(toThreadsPage(`${entity}/${project}`))
  })
  links.get('/:entity/:project/r/call/:id', async (c) => {
    const { entity, project, id } = c.req.param()
    const projectId = `${entity}/${project}`
    const user = sessions.findUser(readSessionToken((name) => c.req.header(name)) ?? '')
    // From a page of another site the browser sends no session cookie, because it is SameSite=Strict. From this empty page it does.
    if (!user && c.req.query('again') === undefined) return c.html('', 200, { ...noStore, refresh: '0; url=?again' })
    // Whoever may not read the call must not learn of it here either. The page asks them to sign in.
    if (!user || !canAccessProject(user, projectId)) return c.redirect(toThreadsPage(projectId))
    const options = { signal: c.req.raw.signal, share: { user: user.username, projectId } }
    const statement = sql`SELECT thread_id FROM ${callsWhere(projectId, sql`id = ${id}`)}`
    const [call] = await store.query(statement, z.object({ thread_id: textOrNull }), options)
    return c.redirect(toThreadsPage(projectId, call?.thread_id))
  })
  return links
}

const noStore = { 'cache-control': 'no-store' }

function toThreadsPage(projectId: string, threadId?: string | null): string {
  return `/threads?${new URLSearchParams({ project: projectId, ...(threadId && { row: threadId }) })}`
}
