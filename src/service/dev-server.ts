import type { IncomingMessage, Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { ViteDevServer } from 'vite'
import type { createApp } from './app'
import { createLogger } from './create-logger'
import { createIdGenerator } from './lib/id-generator'
import { drain, listen } from './listen'
import { openService, type Service } from './open-service'
import { readSettings, type Settings } from './settings'
import { describeUnknownVariables } from './unknown-variables'
import { createUpstreamApp } from './upstream/upstream-app'
import { isWeaveLink } from './weave/weave-links'

type Fetch = ReturnType<typeof createApp>['fetch']

/**
 * Serves the service and the dashboard, with hot reload, at one address. The store stays open; `app.ts` and what it
 * imports is loaded again after a change. A change of the files behind `openService` needs a restart.
 */
export async function serveForDevelopment(vite: ViteDevServer, server: Server) {
  const settings = readSettings(process.env)
  const logger = createLogger({ level: settings.logLevel })
  const warning = describeUnknownVariables(process.env)
  if (warning !== undefined) logger.warn(warning)
  const { upstreamUrl } = settings
  if (upstreamUrl !== undefined) {
    const { fetch } = createUpstreamApp({ upstreamUrl, newId: createIdGenerator(() => Date.now()), logger, access: settings })
    return await serve(vite, server, settings, { fetch, greeting: () => [], endStreams: () => {}, close: async () => {} })
  }
  const { deps, greeting, close } = await openService(settings, logger)

  let current: { create: typeof createApp; fetch: Fetch } | undefined
  const currentFetch = async (): Promise<Fetch> => {
    const module = await vite.ssrLoadModule('/src/service/app.ts')
    const create: typeof createApp = module['createApp']
    // Vite returns the same module until a file that it imports changes.
    if (!current || current.create !== create) current = { create, fetch: create(deps).fetch }
    return current.fetch
  }
  await currentFetch() // so that the ready line is true, and a broken module ends the start
  const fetch: Fetch = async (request, env) => (await currentFetch())(request, env)
  await serve(vite, server, settings, { fetch, greeting, endStreams: () => deps.events.close(), close })
}

type Running = { fetch: Fetch; endStreams: () => void } & Pick<Service, 'greeting' | 'close'>

async function serve(vite: ViteDevServer, server: Server, { host, port }: Settings, running: Running) {
  const { fetch, greeting, endStreams, close } = running
  const handle = getRequestListener(fetch, { overrideGlobalObjects: false })
  server.on('request', (request, response) => {
    // Pages, modules and hot reload are Vite's. It hands on what it does not know; only GET can be a file.
    if (request.method === 'GET' && isForVite(request)) vite.middlewares(request, response, () => void handle(request, response))
    else void handle(request, response)
  })
  const url = await listen(server, host, port)
  for (const line of greeting(url)) console.log(line)
  console.log(`Spool is ready: ${url}`)

  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    await vite.close()
    endStreams()
    await drain(server, 2000)
    await close()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
}

function isForVite(request: IncomingMessage): boolean {
  const url = request.url ?? '/'
  // The service redirects links of Weave's clients to a page.
  if (request.headers.accept?.includes('text/html')) return !isWeaveLink(url.replace(/\?.*/s, ''))
  return /^\/(?:@|src\/|node_modules\/|.*\.[a-z0-9]+(?:\?|$))/.test(url)
}
