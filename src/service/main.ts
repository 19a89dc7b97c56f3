import { createServer } from 'node:http'
import { resolve } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { type Logger, pino } from 'pino'
import { createApp } from './app'
import { loadStaticFiles } from './http/static-files'
import { drain, listen } from './listen'
import { createIdGenerator } from './lib/id-generator'
import { openService } from './open-service'
import { readSettings, type Settings } from './settings'
import { StartError } from './lib/start-error'
import { createUpstreamApp } from './upstream/upstream-app'

const signals = ['SIGTERM', 'SIGINT'] as const
const drainMs = 12_000
const longestShutdownMs = 18_000

async function open(settings: Settings, logger: Logger) {
  const staticFiles = await loadStaticFiles(resolve(import.meta.dirname, '../dashboard')).catch((error: unknown) => {
    throw new StartError('The dashboard is not built: npm run build', { cause: error })
  })
  if (settings.upstreamUrl !== undefined) {
    const newId = createIdGenerator(() => Date.now())
    const app = createUpstreamApp({ upstreamUrl: settings.upstreamUrl, newId, logger, staticFiles })
    return { app, greeting: () => [], close: async () => undefined }
  }
  const { deps, greeting, close } = await openService(settings, logger)
  return { app: createApp({ ...deps, staticFiles }), greeting, close }
}

async function run(): Promise<void> {
  // Until there is something to drain, a signal just ends it: whatever was being written is safe against that.
  const leave = () => process.exit(0)
  for (const signal of signals) process.once(signal, leave)
  const settings = readSettings(process.env)
  // Standard output is for the person who starts it; the log goes beside it.
  const logger = pino({ name: 'spool' }, pino.destination({ fd: 2, sync: true }))
  const { app, greeting, close } = await open(settings, logger)
  // A request of HTTP/1.0, a load balancer's health check for one, need not say which host it means.
  const answer = getRequestListener(app.fetch, { hostname: 'localhost' })
  const server = createServer((request, response) => void answer(request, response))
  const url = await listen(server, settings.host, settings.port).catch(async (error: unknown) => {
    await close()
    throw error
  })
  for (const line of greeting(url)) console.log(line)
  console.log(`Spool is ready: ${url}`)

  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(0), longestShutdownMs).unref()
    await drain(server, drainMs)
    await close()
    process.exit(0)
  }
  // One request's stray failure must not take all others with it.
  process.on('unhandledRejection', (reason) => logger.error({ err: reason }, 'a failure nobody waited for'))
  for (const signal of signals) {
    process.off(signal, leave)
    process.on(signal, () => {
      stop().catch((error: unknown) => {
        logger.error({ err: error }, 'stopping failed')
        process.exit(1)
      })
    })
  }
}

run().catch((error: unknown) => {
  console.error(`Spool cannot start: ${error instanceof Error ? error.message : String(error)}`)
  if (!(error instanceof StartError)) console.error(error)
  process.exit(1)
})
