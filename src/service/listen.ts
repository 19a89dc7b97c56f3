import type { Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { StartError } from './lib/start-error'

/** Listens and resolves to the address people open. Throws a `StartError` where the port cannot be had. */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const code = 'code' in error ? error.code : undefined
      const reason =
        code === 'EADDRINUSE'
          ? 'is taken by another program. Stop that, or set SPOOL_PORT (0 = any free port).'
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

/** Lets requests in flight finish, for at most `patienceMs`; then cuts what is left. */
export async function drain(server: Server, patienceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  // A connection kept alive becomes idle when its request ends; close() alone would wait for it to time out.
  const sweeping = setInterval(() => server.closeIdleConnections(), 50)
  const cutting = new AbortController()
  await Promise.race([closed, wait(patienceMs, undefined, { signal: cutting.signal }).catch(() => undefined)])
  cutting.abort()
  clearInterval(sweeping)
  server.closeAllConnections()
  await closed
}
