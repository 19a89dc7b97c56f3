import { Agent, request } from 'node:http'

export type Answered = { status: number; text: string }

/** Posts over connections that stay open, with as little work on this side as node allows: the cores are shared with the service. */
export class KeptConnections {
  private readonly agent: Agent

  constructor(
    private readonly url: string,
    private readonly authorization: string,
    count: number,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: count })
  }

  post(path: string, body: string | Buffer, contentType = 'application/json'): Promise<Answered> {
    const headers = { authorization: this.authorization, 'content-type': contentType, 'content-length': Buffer.byteLength(body) }
    return new Promise((answer, fail) => {
      const outgoing = request(new URL(path, this.url), { method: 'POST', agent: this.agent, headers }, (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', fail)
        incoming.on('end', () => answer({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
      })
      outgoing.on('error', fail)
      outgoing.end(body)
    })
  }

  close(): void {
    this.agent.destroy()
  }
}
