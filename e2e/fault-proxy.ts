import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Fault = {
  /** Closes the connection after this many bytes of the response body. */
  cutAfterBytes?: number
  /** Delays the response. */
  delayMs?: number
  /** Responds with 404, like a server that does not have the operation. */
  isMissing?: boolean
  /** Closes the connection at once, like a server that is not there. */
  isDown?: boolean
  /** Forwards the request and drops the response. */
  dropsResponse?: boolean
}

// The browser discards received bytes that it has not delivered yet when the connection closes.
const cutDelayMs = 300

/** Forwards requests to a real service and injects the faults that `faultFor` returns. */
export class FaultProxy {
  private constructor(
    readonly url: string,
    readonly close: () => void,
  ) {}

  static async start(target: string, faultFor: (request: IncomingMessage) => Fault): Promise<FaultProxy> {
    const server = createServer((incoming, outgoing) => {
      const {
        cutAfterBytes = Infinity,
        delayMs = 0,
        isMissing = false,
        isDown = false,
        dropsResponse = false,
      } = faultFor(incoming)
      if (isDown) {
        outgoing.destroy()
        return
      }
      if (isMissing) {
        incoming.resume()
        outgoing.writeHead(404, { 'content-type': 'application/json' }).end('{"detail":"Not Found"}')
        return
      }
      const { host: _, ...headers } = incoming.headers
      // Uncompressed, so that a number of bytes is a number of rows.
      if (cutAfterBytes < Infinity) headers['accept-encoding'] = 'identity'
      const forwarded = request(new URL(incoming.url ?? '/', target), { method: incoming.method, headers }, (upstream) => {
        if (dropsResponse) {
          upstream.resume().on('end', () => outgoing.destroy())
          return
        }
        setTimeout(() => {
          outgoing.writeHead(upstream.statusCode ?? 502, upstream.headers)
          let sent = 0
          upstream.on('data', (chunk: Buffer) => {
            const rest = cutAfterBytes - sent
            sent += chunk.length
            if (sent < cutAfterBytes) outgoing.write(chunk)
            else if (rest > 0) outgoing.write(chunk.subarray(0, rest), () => setTimeout(() => outgoing.destroy(), cutDelayMs))
          })
          upstream.on('end', () => {
            if (sent < cutAfterBytes) outgoing.end()
          })
        }, delayMs)
      })
      forwarded.on('error', () => outgoing.destroy())
      incoming.pipe(forwarded)
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    const { port } = server.address() as AddressInfo // it listens on TCP
    return new FaultProxy(`http://127.0.0.1:${port}`, () => {
      server.closeAllConnections()
      server.close()
    })
  }
}
