import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { listen } from '../listen'
import type { TestApp } from './test-app'

/** Responds in place of the service, and returns whether it did. */
export type Interceptor = (request: IncomingMessage, response: ServerResponse) => boolean

/** Serves an app on a free port of this machine; `intercept` plays a service that fails. */
export async function serveApp({ app }: Pick<TestApp, 'app'>) {
  const handle = getRequestListener(app.fetch, { hostname: 'localhost' })
  const requests: string[] = []
  let interceptor: Interceptor | undefined
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    if (!interceptor?.(request, response)) void handle(request, response)
  })
  const url = await listen(server, '127.0.0.1', 0)
  return {
    url,
    /** The paths of all requests so far. */
    requests,
    intercept: (next: Interceptor | undefined) => {
      interceptor = next
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
