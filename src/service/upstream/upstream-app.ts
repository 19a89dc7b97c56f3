import type { Hono } from 'hono'
import type { Logger } from 'pino'
import { createHttpApp } from '../http/http-app'
import type { HttpEnv } from '../http/http-env'
import { type StaticFiles, serveStaticFiles } from '../http/static-files'
import { forwardRequest } from './forward-request'

export type UpstreamDeps = {
  upstreamUrl: string
  newId: () => string
  logger: Logger
  staticFiles?: StaticFiles | undefined
}

/** The dashboard in front of another service: serves its own files, and forwards every other request. */
export function createUpstreamApp({ upstreamUrl, newId, logger, staticFiles }: UpstreamDeps): Hono<HttpEnv> {
  const app = createHttpApp({ newId, logger, toHttpError: () => undefined, inlineHashes: staticFiles?.inlineHashes })
  // The health of this process only; the dashboard's connection test checks the upstream.
  app.get('/health', (c) => c.json({ status: 'ok' }, { headers: { 'cache-control': 'no-store' } }))
  if (staticFiles) app.get('*', serveStaticFiles(staticFiles))
  app.all('*', (c) => forwardRequest(c, upstreamUrl))
  return app
}
