import { Hono } from 'hono'
import type { HttpEnv } from '../http/http-env'

/**
 * Weave's clients print links to pages that W&B has: `/acme/support/weave` when they start and `/acme/support/r/call/<id>` for
 * each call. Here the second leads to the page that finds the call in its thread, and the first to the threads of the project.
 * The service looks up no call here: the page does, with the session of the user, after a sign-in where one is needed.
 */
export function weaveLinks(): Hono<HttpEnv> {
  const links = new Hono<HttpEnv>()
  links.get('/:entity/:project/weave/*', (c) => {
    const { entity, project } = c.req.param()
    return c.redirect(`/threads?${ofProject(entity, project)}`)
  })
  const callPath = '/:entity/:project/r/call/:id'
  links.on('GET', [callPath, `${callPath}/`], (c) => {
    const { entity, project, id } = c.req.param()
    return c.redirect(`/calls/${encodeURIComponent(id)}?${ofProject(entity, project)}`)
  })
  return links
}

/** Whether a path is such a link. In development Vite answers every other request for a page. */
export function isWeaveLink(path: string): boolean {
  const [handlers] = weaveLinks().router.match('GET', path)
  return handlers.length > 0
}

function ofProject(entity: string, project: string): string {
  return new URLSearchParams({ project: `${entity}/${project}` }).toString()
}
