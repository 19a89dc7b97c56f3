import { Readable } from 'node:stream'
import type { BoundParams, EngineSession, RowStream } from './engine-session'
import type { SessionPool } from './session-pool'

/** Starts a SELECT. Rejects with any error before the first rows; the rest is read at the reader's pace. */
export async function openSessionStream(
  pool: SessionPool,
  query: string,
  params: BoundParams,
  signal: AbortSignal | undefined,
): Promise<Readable> {
  const session = await pool.acquire(signal)
  try {
    const rows = await session.stream(query, params)
    return new SessionStream(pool, session, rows, await rows.next())
  } catch (error) {
    pool.release(session, 'dirty')
    throw error
  }
}

type Chunk = Uint8Array | undefined

/** The bytes of a running SELECT. Its session is released when the rows end, or after the stream is destroyed. */
class SessionStream extends Readable {
  private fetching: Promise<Chunk> | undefined
  private holdsSession = true

  constructor(
    private readonly pool: SessionPool,
    private readonly session: EngineSession,
    private readonly rows: RowStream,
    first: Chunk,
  ) {
    super()
    this.fetching = Promise.resolve(first)
  }

  override _read(): void {
    void this.pushNext()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    void this.cancel()
    done(error)
  }

  private async pushNext(): Promise<void> {
    try {
      this.fetching ??= this.rows.next()
      const chunk = await this.fetching
      this.fetching = undefined
      if (this.destroyed) return
      if (chunk === undefined) {
        this.release('clean')
        this.push(null)
        return
      }
      this.push(chunk)
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)))
    }
  }

  private async cancel(): Promise<void> {
    if (!this.holdsSession) return
    this.rows.cancel()
    // A fetch may still be running in the engine; the session is free only after it.
    await this.fetching?.catch(() => undefined)
    this.release('dirty')
  }

  private release(state: 'clean' | 'dirty'): void {
    if (this.holdsSession) this.pool.release(this.session, state)
    this.holdsSession = false
  }
}
