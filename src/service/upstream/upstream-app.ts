import type { Hono } from 'hono'
import type { Logger } from 'pino'
import { createHttpApp } from '../http/http-app'
import type { HttpEnv } from '../http/http-env'
import { forwardRequest } from './forward-request'
import { type StaticFiles, serveStaticFiles } from '../http/static-files'

export type UpstreamDeps = {
  upstreamUrl: string
  newId: () => string
  logger: Logger
  staticFiles?: StaticFiles | undefined
}

/** The dashboard in front of another service: its own files come from here, every operation, known or not, from there. */
export function createUpstreamApp({ upstreamUrl, newId, logger, staticFiles }: UpstreamDeps): Hono<HttpEnv> {
  const app = createHttpApp({ newId, logger, toHttpError: () => undefined, inlineHashes: staticFiles?.inlineHashes })
  // Says whether this process serves; whether the upstream does is what the dashboard's connection test is for.
  app.get('/health', (c) => c.json({ status: 'ok' }, 200, { 'cache-control': 'no-store' }))
  if (staticFiles) app.get('*', serveStaticFiles(staticFiles))
  app.all('*', (c) => forwardRequest(c, upstreamUrl))
  return app
}
