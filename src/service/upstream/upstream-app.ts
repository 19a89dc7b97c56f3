import type { Context, Hono } from 'hono'
import type { Logger } from 'pino'
import { BodyBudget } from '../http/body-budget'
import { clientAddress } from '../http/client-address'
import type { Access } from '../http/host-check'
import { createHttpApp } from '../http/http-app'
import type { HttpEnv } from '../http/http-env'
import { toHonoPath } from '../http/mount-routes'
import { maxBodyBytes, readBody } from '../http/read-body'
import { type StaticFiles, serveStaticFiles } from '../http/static-files'
import { forwardRequest, notFound, type Upstream } from './forward-request'
import { forwardedOperations } from './forwarded-operations'

export type UpstreamDeps = {
  upstreamUrl: string
  newId: () => string
  logger: Logger
  access: Access
  staticFiles?: StaticFiles | undefined
  /** For tests. */
  timeouts?: Partial<Pick<Upstream, 'responseTimeoutMs' | 'stallTimeoutMs'>>
}

/** The dashboard in front of another service: serves its own files, and forwards the operations, nothing else. */
export function createUpstreamApp({ upstreamUrl, newId, logger, access, staticFiles, timeouts }: UpstreamDeps): Hono<HttpEnv> {
  const app = createHttpApp({ newId, logger, toHttpError: () => undefined, inlineHashes: staticFiles?.inlineHashes, access })
  const upstream: Upstream = {
    baseUrl: new URL(upstreamUrl),
    instanceId: newId(),
    responseTimeoutMs: 120_000,
    stallTimeoutMs: 60_000,
    ...timeouts,
  }
  const budget = new BodyBudget()
  // The health of this process only; the dashboard's connection test checks the upstream.
  app.get('/health', (c) => c.json({ status: 'ok' }, { headers: { 'cache-control': 'no-store' } }))
  for (const { method, path } of forwardedOperations) {
    app.on(method, toHonoPath(path), async (c) => {
      // The upstream knows the users.
      const lease = budget.openLease(clientAddress(c))
      try {
        const hasBody = method === 'POST' || method === 'PUT'
        const body = hasBody ? await readBody(c, { maxBytes: maxBodyBytes, reserve: lease.reserve }) : undefined
        return await forwardRequest(c, { path: fillPath(path, c), body: body?.join() }, upstream)
      } finally {
        lease.release()
      }
    })
  }
  if (staticFiles) app.get('*', serveStaticFiles(staticFiles))
  return app
}

/** The operation's own path, each `{name}` filled with what the request has there, encoded again. */
function fillPath(path: string, c: Context<HttpEnv>): string {
  return path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => {
    const text = c.req.param(name) ?? ''
    // A URL would take these for "this folder" and "the folder above".
    if (text === '.' || text === '..') throw notFound()
    return encodeURIComponent(text)
  })
}
