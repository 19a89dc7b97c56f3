import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { isLoopbackHost } from '../contract/http'
import { createApp } from './app'
import { createLogger } from './create-logger'
import { createHttpServer } from './http/http-server'
import { createInPlacePreparer } from './http/prepare/in-place-preparer'
import { readOpenFileLimit, toMaxConnections } from './http/max-connections'
import { WorkerPreparer } from './http/prepare/worker-preparer'
import { loadStaticFiles } from './http/static-files'
import { favorEventLoop } from './lib/favor-event-loop'
import { createIdGenerator } from './lib/id-generator'
import { StartError } from './lib/start-error'
import { drain, listen } from './listen'
import { openService } from './open-service'
import { readSettings, type Settings } from './settings'
import { describeUnknownVariables } from './unknown-variables'
import { createUpstreamApp } from './upstream/upstream-app'

/** SIGHUP: the terminal was closed. */
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
const drainMs = 5000
/** Docker kills a container ten seconds after it asked it to stop. */
const maxShutdownMs = 9000

async function openApp(settings: Settings, logger: Logger, signal: AbortSignal) {
  const staticFiles = await loadStaticFiles(resolve(import.meta.dirname, '../dashboard')).catch((error: unknown) => {
    throw new StartError('The dashboard is not built: npm run build', { cause: error })
  })
  if (settings.upstreamUrl !== undefined) {
    const newId = createIdGenerator(() => Date.now())
    const app = createUpstreamApp({ upstreamUrl: settings.upstreamUrl, newId, logger, access: settings, staticFiles })
    return { app, greeting: () => [], endStreams: () => undefined, close: async () => undefined }
  }
  const { deps, greeting, close } = await openService(settings, logger, {
    signal,
    engineUrl: new URL('./engine-worker.js', import.meta.url),
  })
  favorEventLoop((err) =>
    logger.info({ err }, 'the event loop has no priority over other threads: replies may take longer under load'),
  )
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
  const endStreams = () => deps.events.close()
  return { app: createApp({ ...deps, preparer, staticFiles }), greeting, endStreams, close: closeAll }
}

/** Other names of this machine are found out by the first request that comes back. */
function isSameServer(upstreamUrl: string, ownUrl: string): boolean {
  const [upstream, own] = [new URL(upstreamUrl), new URL(ownUrl)]
  return upstream.host === own.host || (upstream.port === own.port && isLoopbackHost(upstream.hostname))
}

function fitConnections(logger: Logger): number {
  const openFileLimit = readOpenFileLimit()
  const maxConnections = toMaxConnections(openFileLimit)
  if (maxConnections < toMaxConnections(undefined)) {
    const text = `this process may have only ${openFileLimit} files open, so it keeps ${maxConnections} connections`
    logger.warn({ openFileLimit, maxConnections }, `${text}. Raise the limit: ulimit -n 4096`)
  }
  return maxConnections
}

/** Serves until `signal` is aborted. Nothing of the engine runs any more when it resolves or rejects. */
async function serve(settings: Settings, logger: Logger, signal: AbortSignal): Promise<void> {
  const { app, greeting, endStreams, close } = await openApp(settings, logger, signal)
  try {
    const server = createHttpServer({
      fetch: app.fetch,
      newId: createIdGenerator(() => Date.now()),
      logger,
      limits: { maxConnections: fitConnections(logger) },
    })
    const url = await listen(server, settings.host, settings.port)
    if (settings.upstreamUrl !== undefined && isSameServer(settings.upstreamUrl, url)) {
      throw new StartError('SPOOL_UPSTREAM is the address of this service itself. Set it to another service.')
    }
    for (const line of greeting(url)) console.log(line)
    console.log(`Spool is ready: ${url}`)
    if (!signal.aborted) await once(signal, 'abort')
    // They would go on until the connections are closed.
    endStreams()
    await drain(server, signal.reason instanceof Error ? 0 : drainMs)
  } finally {
    await close()
  }
}

/** Resolves to the exit code. A signal stops the service, also during its start; so does an error outside of any request. */
async function run(): Promise<number> {
  const settings = readSettings(process.env)
  const logger = createLogger({ level: settings.logLevel })
  const warning = describeUnknownVariables(process.env)
  if (warning !== undefined) logger.warn(warning)
  const stopping = new AbortController()
  const stop = (error?: Error) => {
    if (stopping.signal.aborted) return
    const giveUp = () => {
      logger.error('the engine did not stop in time, so the process is killed; what was acknowledged is on disk')
      // Not process.exit: it destroys the engine while its threads run.
      process.kill(process.pid, 'SIGKILL')
    }
    setTimeout(giveUp, maxShutdownMs).unref()
    stopping.abort(error ?? 'signal')
  }
  for (const signal of signals) process.on(signal, () => stop())
  // The launcher has ended. Nobody could stop this service, and it would keep the data folder locked.
  process.on('disconnect', () => stop())
  // The launcher asks whether this process hangs.
  process.on('message', () => process.send?.('alive', () => undefined))
  // A bug in one request must not end the process for all others.
  process.on('unhandledRejection', (err) => logger.error({ err }, 'unhandled promise rejection'))
  process.on('uncaughtException', (err) => {
    logger.error({ err }, 'unexpected error outside of any request: the state is unknown, so the process ends')
    stop(err)
  })
  try {
    await serve(settings, logger, stopping.signal)
  } catch (error) {
    if (!stopping.signal.aborted) {
      if (!(error instanceof StartError)) logger.error({ err: error }, 'unexpected error during the start')
      throw error
    }
    // A start that is stopped fails with whatever it waited for.
    logger.debug({ err: error }, 'stopped before it was ready')
  }
  return stopping.signal.reason instanceof Error ? 1 : 0
}

// Who reads the output may go away, for example `spool | head`. The service goes on.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)

run().then(
  (exitCode) => process.exit(exitCode),
  (error: unknown) => {
    const reason = error instanceof StartError ? error.message : 'unexpected error. The log has its place.'
    console.error(`Spool cannot start: ${reason}`)
    process.exit(1)
  },
)
