import { Hono } from 'hono'
import type { HttpEnv } from '../http/http-env'

/**
 * Weave's clients print links to pages that W&B has: `/acme/support/weave` when they start and `/acme/support/r/call/<id>` for
 * each call. Here both lead to the threads of the project, of which the newest is the first.
 */
export function weaveLinks(): Hono<HttpEnv> {
  const links = new Hono<HttpEnv>()
  for (const path of ['/:entity/:project/weave/*', '/:entity/:project/r/call/:id'] as const) {
    links.get(path, (c) => {
      const { entity, project } = c.req.param()
      return c.redirect(`/threads?project=${encodeURIComponent(`${entity}/${project}`)}`)
    })
  }
  return links
}
