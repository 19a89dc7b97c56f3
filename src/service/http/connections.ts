import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Connection = {
  /** Undefined until a request on it has signed in. */
  username: string | undefined
  /** The responses that have not ended; several where a client sends requests ahead. */
  readonly responses: Set<ServerResponse>
}

/**
 * Every open connection, at most `maxConnections`. Beyond that a new one takes the place of another, so that clients that
 * open connections and do nothing displace each other and not those who work. First to go are connections that never
 * signed in, then those of the user with the most; of these the idle ones, then the oldest.
 */
export class Connections {
  /** Oldest first. */
  private readonly open = new Map<Socket, Connection>()

  constructor(private readonly maxConnections: number) {}

  add(socket: Socket): void {
    if (this.open.size >= this.maxConnections) this.evict()
    this.open.set(socket, { username: undefined, responses: new Set() })
    socket.once('close', () => this.open.delete(socket))
  }

  addRequest(response: ServerResponse): void {
    const { socket } = response.req
    const connection = this.open.get(socket)
    connection?.responses.add(response)
    response.once('close', () => connection?.responses.delete(response))
  }

  signIn(socket: Socket, username: string): void {
    const connection = this.open.get(socket)
    if (connection) connection.username = username
  }

  responsesOf(socket: Socket): ReadonlySet<ServerResponse> {
    return this.open.get(socket)?.responses ?? new Set()
  }

  private evict(): void {
    const counts = new Map<string | undefined, number>()
    for (const { username } of this.open.values()) counts.set(username, (counts.get(username) ?? 0) + 1)
    const usernames = [...counts.keys()].toSorted((left, right) => (counts.get(right) ?? 0) - (counts.get(left) ?? 0))
    const username = counts.has(undefined) ? undefined : usernames[0]
    const candidates = [...this.open].filter(([, connection]) => connection.username === username)
    const [socket] = candidates.find(([, { responses }]) => responses.size === 0) ?? candidates[0] ?? []
    if (!socket) return
    this.open.delete(socket)
    socket.destroy()
  }
}
