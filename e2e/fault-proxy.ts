import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Fault = {
  /** Breaks the connection off after so many bytes of the answer. */
  cutAfterBytes?: number
  /** Waits before the answer is passed on. */
  delayMs?: number
  /** Answers as a server that does not have the operation. */
  isMissing?: boolean
  /** Passes the request on and loses the answer. */
  losesAnswer?: boolean
}

// A browser throws away what it has received and not yet handed on when the connection breaks.
const cutDelayMs = 300

/** Stands before a real service and spoils what `meddle` says; what it passes on is the service's own. */
export class FaultProxy {
  private constructor(
    readonly url: string,
    readonly close: () => void,
  ) {}

  static async start(target: string, meddle: (request: IncomingMessage) => Fault): Promise<FaultProxy> {
    const server = createServer((incoming, outgoing) => {
      const { cutAfterBytes = Infinity, delayMs = 0, isMissing = false, losesAnswer = false } = meddle(incoming)
      if (isMissing) {
        incoming.resume()
        outgoing.writeHead(404, { 'content-type': 'application/json' }).end('{"detail":"Not Found"}')
        return
      }
      const { host: _, ...headers } = incoming.headers
      const passedOn = request(new URL(incoming.url ?? '/', target), { method: incoming.method, headers }, (answer) => {
        if (losesAnswer) {
          answer.resume().on('end', () => outgoing.destroy())
          return
        }
        setTimeout(() => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
          let sent = 0
          answer.on('data', (chunk: Buffer) => {
            const rest = cutAfterBytes - sent
            sent += chunk.length
            if (sent < cutAfterBytes) outgoing.write(chunk)
            else if (rest > 0) outgoing.write(chunk.subarray(0, rest), () => setTimeout(() => outgoing.destroy(), cutDelayMs))
          })
          answer.on('end', () => {
            if (sent < cutAfterBytes) outgoing.end()
          })
        }, delayMs)
      })
      passedOn.on('error', () => outgoing.destroy())
      incoming.pipe(passedOn)
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
