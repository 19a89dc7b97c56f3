import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

const pauseAfterFailureMs = 20

type PostOptions = { contentType?: string; authorization?: string }

/** A client that means harm, or is badly written: it never waits as long as it is told to. Counts the replies by status. */
export class Attacker {
  readonly replies = new Map<string, number>()
  private readonly agent = new Agent({ keepAlive: true })
  private readonly sockets = new Set<Socket>()
  private hasEnded = false

  constructor(
    readonly url: string,
    readonly authorization: string,
    readonly projectId: string,
  ) {}

  get isActive(): boolean {
    return !this.hasEnded
  }

  /** Returns the status, 0 where there is no reply. The body of the reply is read and dropped. */
  async post(path: string, body: string | Buffer | object, options: PostOptions = {}): Promise<number> {
    const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
    const status = this.isActive ? await this.send(path, bytes, options) : 0
    if (this.isActive) this.count(status === 0 ? 'broken' : String(status))
    if (status !== 200) await wait(pauseAfterFailureMs)
    return status
  }

  /** Runs the same task in `count` places at once, again and again, until the attack ends. */
  async repeat(count: number, task: (place: number) => Promise<unknown>): Promise<void> {
    const loop = async (place: number) => {
      while (this.isActive) await task(place)
    }
    await Promise.all(Array.from({ length: count }, (_, place) => loop(place)))
  }

  /** Opens a connection, lets `use` write to it, and opens it again whenever the service closes it. */
  async keepConnected(use: (socket: Socket) => void): Promise<void> {
    const { hostname, port } = new URL(this.url)
    while (this.isActive) {
      const socket = connect(Number(port), hostname)
      this.sockets.add(socket)
      socket.on('error', () => undefined) // the service may close it at any time, which is counted below
      socket.on('connect', () => use(socket))
      await new Promise((resolve) => socket.on('close', resolve))
      this.sockets.delete(socket)
      if (this.isActive) this.count('closed')
      await wait(pauseAfterFailureMs)
    }
  }

  end(): void {
    this.hasEnded = true
    this.agent.destroy()
    for (const socket of this.sockets) socket.destroy()
  }

  private async send(path: string, bytes: string | Buffer, options: PostOptions): Promise<number> {
    const { contentType = 'application/json', authorization = this.authorization } = options
    const headers = { authorization, 'content-type': contentType, 'content-length': Buffer.byteLength(bytes) }
    return new Promise((resolve) => {
      const fail = () => resolve(0)
      const outgoing = request(new URL(path, this.url), { method: 'POST', agent: this.agent, headers }, (incoming) => {
        incoming.resume()
        incoming.on('error', fail)
        incoming.on('end', () => resolve(incoming.statusCode ?? 0))
      })
      outgoing.on('error', fail)
      outgoing.end(bytes)
    })
  }

  private count(outcome: string): void {
    this.replies.set(outcome, (this.replies.get(outcome) ?? 0) + 1)
  }
}
