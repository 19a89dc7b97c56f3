import type { IncomingMessage, Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { pino } from 'pino'
import type { ViteDevServer } from 'vite'
import type { createApp } from './app'
import { drain, listen } from './listen'
import { createIdGenerator } from './lib/id-generator'
import { openService } from './open-service'
import { readSettings, type Settings } from './settings'
import { createUpstreamApp } from './upstream/upstream-app'

type Fetch = ReturnType<typeof createApp>['fetch']

/**
 * One address for the service and for the dashboard with hot reload. The store stays open; the app above it is loaded
 * again when its code changes. What stands below `openService` needs a restart.
 */
export async function serveForDevelopment(vite: ViteDevServer, server: Server) {
  const settings = readSettings(process.env)
  const logger = pino({ name: 'spool', level: 'debug' }, pino.destination({ fd: 2, sync: true }))
  const { upstreamUrl } = settings
  if (upstreamUrl !== undefined) {
    const { fetch } = createUpstreamApp({ upstreamUrl, newId: createIdGenerator(() => Date.now()), logger })
    return await serve(vite, server, settings, { fetch, greeting: () => [], close: async () => undefined })
  }
  const { deps, greeting, close } = await openService(settings, logger)

  let loaded: { create: typeof createApp; fetch: Fetch } | undefined
  const currentFetch = async (): Promise<Fetch> => {
    const module = await vite.ssrLoadModule('/src/service/app.ts')
    const create: typeof createApp = module['createApp']
    // vite gives back the same module until something it imports has changed
    if (!loaded || loaded.create !== create) loaded = { create, fetch: create(deps).fetch }
    return loaded.fetch
  }
  const fetch: Fetch = async (request, env) => (await currentFetch())(request, env)
  await serve(vite, server, settings, { fetch, greeting, close })
}

type Running = { fetch: Fetch; greeting: (url: string) => string[]; close: () => Promise<void> }

async function serve(vite: ViteDevServer, server: Server, { host, port }: Settings, { fetch, greeting, close }: Running) {
  const answer = getRequestListener(fetch, { overrideGlobalObjects: false })
  server.on('request', (request, response) => {
    // Pages, modules and hot reload are vite's; whatever it does not know comes here. Only GET can be a file.
    if (request.method === 'GET' && isForVite(request)) vite.middlewares(request, response, () => void answer(request, response))
    else void answer(request, response)
  })
  const url = await listen(server, host, port)
  for (const line of greeting(url)) console.log(line)
  console.log(`Spool is ready: ${url}`)

  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    await vite.close()
    await drain(server, 2000)
    await close()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
}

function isForVite(request: IncomingMessage): boolean {
  const path = request.url ?? '/'
  return (
    (request.headers.accept?.includes('text/html') ?? false) || /^\/(?:@|src\/|node_modules\/|.*\.[a-z0-9]+(?:\?|$))/.test(path)
  )
}
