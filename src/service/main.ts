import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { isLoopbackHost } from '../contract/http'
import { createApp } from './app'
import { createLogger } from './create-logger'
import { createHttpServer } from './http/http-server'
import { createInPlacePreparer } from './http/prepare/in-place-preparer'
import { WorkerPreparer } from './http/prepare/worker-preparer'
import { loadStaticFiles } from './http/static-files'
import { createIdGenerator } from './lib/id-generator'
import { StartError } from './lib/start-error'
import { drain, listen } from './listen'
import { openService } from './open-service'
import { readSettings, type Settings } from './settings'
import { createUpstreamApp } from './upstream/upstream-app'

const signals = ['SIGTERM', 'SIGINT'] as const
const drainMs = 12_000
const maxShutdownMs = 18_000

async function openApp(settings: Settings, logger: Logger) {
  const staticFiles = await loadStaticFiles(resolve(import.meta.dirname, '../dashboard')).catch((error: unknown) => {
    throw new StartError('The dashboard is not built: npm run build', { cause: error })
  })
  if (settings.upstreamUrl !== undefined) {
    const newId = createIdGenerator(() => Date.now())
    const app = createUpstreamApp({ upstreamUrl: settings.upstreamUrl, newId, logger, access: settings, staticFiles })
    return { app, greeting: () => [], close: async () => undefined }
  }
  const { deps, greeting, close } = await openService(settings, logger)
  const preparer = new WorkerPreparer({
    workerUrl: new URL('./worker.js', import.meta.url),
    // One core is for the event loop. The engine has threads of its own.
    workerCount: Math.max(1, Math.min(4, availableParallelism() - 1)),
    inPlace: createInPlacePreparer({ newId: deps.newId }),
    logger,
  })
  const closeAll = async () => {
    await preparer.close()
    await close()
  }
  return { app: createApp({ ...deps, preparer, staticFiles }), greeting, close: closeAll }
}

/** Other names of this machine are found out by the first request that comes back. */
function isSameServer(upstreamUrl: string, ownUrl: string): boolean {
  const [upstream, own] = [new URL(upstreamUrl), new URL(ownUrl)]
  return upstream.host === own.host || (upstream.port === own.port && isLoopbackHost(upstream.hostname))
}

async function start(): Promise<void> {
  // Until there are requests to drain, a signal ends the process at once: unfinished writes are safe against that.
  const exit = () => process.exit(0)
  for (const signal of signals) process.once(signal, exit)
  const settings = readSettings(process.env)
  const logger = createLogger({ level: settings.logLevel })
  const { app, greeting, close } = await openApp(settings, logger)
  const server = createHttpServer({ fetch: app.fetch, newId: createIdGenerator(() => Date.now()), logger })
  const url = await listen(server, settings.host, settings.port).catch(async (error: unknown) => {
    await close()
    throw error
  })
  if (settings.upstreamUrl !== undefined && isSameServer(settings.upstreamUrl, url)) {
    throw new StartError('SPOOL_UPSTREAM is the address of this service itself. Set it to another service.')
  }
  for (const line of greeting(url)) console.log(line)
  console.log(`Spool is ready: ${url}`)

  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(0), maxShutdownMs).unref()
    await drain(server, drainMs)
    await close()
    process.exit(0)
  }
  // A bug in one request must not end the process for all others.
  process.on('unhandledRejection', (reason) => logger.error({ err: reason }, 'unhandled promise rejection'))
  for (const signal of signals) {
    process.off(signal, exit)
    process.on(signal, () => {
      stop().catch((error: unknown) => {
        logger.error({ err: error }, 'shutdown failed')
        process.exit(1)
      })
    })
  }
}

start().catch((error: unknown) => {
  console.error(`Spool cannot start: ${error instanceof Error ? error.message : String(error)}`)
  if (!(error instanceof StartError)) console.error(error)
  process.exit(1)
})
