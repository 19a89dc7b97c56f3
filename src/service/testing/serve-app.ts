import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { TestApp } from './test-app'
import { listen } from '../listen'

/** Answers a request in the service's place, or not (false). */
export type Interceptor = (request: IncomingMessage, response: ServerResponse) => boolean

/** Puts an app on a free port of this machine, where what goes in and out can be meddled with. */
export async function serveApp({ app }: Pick<TestApp, 'app'>) {
  const answer = getRequestListener(app.fetch, { hostname: 'localhost' })
  const requests: string[] = []
  let meddler: Interceptor | undefined
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    if (!meddler?.(request, response)) void answer(request, response)
  })
  const url = await listen(server, '127.0.0.1', 0)
  return {
    url,
    /** The paths of all requests so far. */
    requests,
    meddle: (next: Interceptor | undefined) => {
      meddler = next
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
