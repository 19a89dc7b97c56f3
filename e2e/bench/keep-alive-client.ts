import { Agent, request } from 'node:http'

export type HttpReply = { status: number; text: string }

/** Posts over connections that stay open, with little work on this side: the service runs on the same cores. */
export class KeepAliveClient {
  private readonly agent: Agent

  constructor(
    private readonly url: string,
    private readonly authorization: string,
    count: number,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: count })
  }

  get(path: string): Promise<HttpReply> {
    return this.send('GET', path, undefined, { authorization: this.authorization })
  }

  post(
    path: string,
    body: string | Buffer,
    contentType = 'application/json',
    extraHeaders: Readonly<Record<string, string>> = {},
  ): Promise<HttpReply> {
    const headers = {
      authorization: this.authorization,
      'content-type': contentType,
      'content-length': Buffer.byteLength(body),
      ...extraHeaders,
    }
    return this.send('POST', path, body, headers)
  }

  private send(
    method: 'GET' | 'POST',
    path: string,
    body: string | Buffer | undefined,
    headers: Readonly<Record<string, string | number>>,
  ): Promise<HttpReply> {
    return new Promise((resolve, reject) => {
      const outgoing = request(new URL(path, this.url), { method, agent: this.agent, headers }, (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }

  close(): void {
    this.agent.destroy()
  }
}
