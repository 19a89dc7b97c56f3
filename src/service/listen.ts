import type { Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { StartError } from './lib/start-error'

/** Resolves to the URL to open. Throws a `StartError` if the port cannot be opened. */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const code = 'code' in error ? error.code : undefined
      const reason =
        code === 'EADDRINUSE'
          ? 'is taken by another program. Stop it, or set SPOOL_PORT (0 = any free port).'
          : code === 'EACCES'
            ? 'may not be opened by this user. Set SPOOL_PORT to one above 1023.'
            : `cannot be opened: ${error.message}`
      reject(new StartError(`Port ${port} on ${host} ${reason}`))
    })
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const actualPort = typeof address === 'object' && address !== null ? address.port : port
  return `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`
}

/** Lets running requests finish for at most `timeoutMs`, then closes their connections. */
export async function drain(server: Server, timeoutMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  // Clients that keep sending on open connections are told to open new ones, elsewhere.
  server.prependListener('request', (_, response) => {
    response.shouldKeepAlive = false
  })
  // A keep-alive connection becomes idle when its request ends; close() alone would wait until it times out.
  const sweepTimer = setInterval(() => server.closeIdleConnections(), 50)
  const timeout = new AbortController()
  await Promise.race([closed, wait(timeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined)])
  timeout.abort()
  clearInterval(sweepTimer)
  server.closeAllConnections()
  await closed
}
