import { Readable } from 'node:stream'
import type { ChdbQueryStream, Session, StreamChunk } from 'chdb'
import type { SessionPool } from './session-pool'
import { StoreError } from './store-error'

/** A reader that takes longer than this for a chunk is not worth a working session. */
const restAfterMs = 250

/** Begins a SELECT. Whatever fails before the first rows rejects; the rest arrives at the reader's pace. */
export async function openSessionStream(
  pool: SessionPool,
  query: string,
  params: object,
  signal: AbortSignal | undefined,
): Promise<Readable> {
  const session = await pool.acquire(signal)
  try {
    const stream = session.queryStreamBind(query, params, { format: 'JSONEachRow' })
    const chunks = stream[Symbol.asyncIterator]()
    return new SessionStream(pool, session, stream, chunks, await chunks.next())
  } catch (error) {
    pool.release(session, 'suspect')
    throw error
  }
}

type Chunk = IteratorResult<StreamChunk, unknown>

/** The bytes of a running SELECT. Its session goes back to the pool when the rows end, or after whatever ends them early. */
class SessionStream extends Readable {
  private fetching: Promise<Chunk> | undefined
  private isHolding = true
  private resting: NodeJS.Timeout | undefined

  constructor(
    private readonly pool: SessionPool,
    private readonly session: Session,
    private readonly stream: ChdbQueryStream,
    private readonly chunks: AsyncIterator<StreamChunk>,
    first: Chunk,
  ) {
    super()
    this.fetching = Promise.resolve(first)
  }

  override _read(): void {
    clearTimeout(this.resting)
    this.pool.markActive(this.session)
    void this.pushNext()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    void this.leave()
    done(error)
  }

  private async pushNext(): Promise<void> {
    try {
      this.fetching ??= this.chunks.next()
      const chunk = await this.fetching
      this.fetching = undefined
      if (this.destroyed) return
      if (chunk.done) {
        this.release('clean')
        this.push(null)
        return
      }
      this.resting = setTimeout(() => this.rest(), restAfterMs)
      this.push(chunk.value.raw())
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)))
    }
  }

  private rest(): void {
    if (!this.isHolding) return
    this.pool.markStalled(this.session, () =>
      this.destroy(new StoreError('unavailable', 'Others needed what a slow reader held.')),
    )
  }

  private async leave(): Promise<void> {
    if (!this.isHolding) return
    this.stream.cancel()
    // A fetch may still be running in the engine; the session is free only after it.
    await this.fetching?.catch(() => undefined)
    this.release('suspect')
  }

  private release(state: 'clean' | 'suspect'): void {
    clearTimeout(this.resting)
    if (this.isHolding) this.pool.release(this.session, state)
    this.isHolding = false
  }
}
