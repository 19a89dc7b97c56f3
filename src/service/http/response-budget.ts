import { HttpError } from './http-error'
import { MemoryPool } from './memory-pool'

const mebibyte = 1024 * 1024
const defaultLimits = {
  maxBytes: 512 * mebibyte,
  /** Smaller responses do not count: the socket buffers of the system take most of one. */
  countedFromBytes: 256 * 1024,
}

/** A response that is being sent. */
type Outgoing = { once: (event: 'close', listener: () => void) => unknown; closed: boolean }

/**
 * Limits the bytes of responses in one piece that wait for their clients to read them, over all requests together. Streamed
 * responses are made at the client's pace and need no limit.
 */
export class ResponseBudget {
  private readonly pool: MemoryPool
  private readonly countedFromBytes: number

  constructor(limits: Partial<typeof defaultLimits> = {}) {
    const { maxBytes, countedFromBytes } = { ...defaultLimits, ...limits }
    this.pool = new MemoryPool(maxBytes)
    this.countedFromBytes = countedFromBytes
  }

  /** Counts these bytes until the response has left. Throws a 429 `HttpError` where the user's share is used up. */
  hold(username: string, bytes: number, outgoing: Outgoing): void {
    if (bytes < this.countedFromBytes || outgoing.closed) return
    if (!this.pool.tryReserve(username, bytes)) throw tooManyUnread()
    outgoing.once('close', () => this.pool.release(username, bytes))
  }
}

function tooManyUnread(): HttpError {
  const msg = 'Too many large responses wait for you to read them. Read them, or ask for less at once.'
  return new HttpError('too_many_requests', { loc: [], msg, type: 'overloaded' }, { 'retry-after': '2' })
}
