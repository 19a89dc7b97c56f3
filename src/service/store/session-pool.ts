import type { Session } from 'chdb'
import { StoreError } from './store-error'

type Waiter = { resolve: (session: Session) => void; reject: (error: Error) => void }

export type SessionPoolSize = {
  /** How many statements run at once. */
  maxActive: number
  /** How many sessions there are in all, including those of stalled readers. */
  maxSessions: number
}

/**
 * Sessions of the embedded engine, each running one statement at a time. After an error, or when a stream is left early, a
 * session answers the next statement with rows of the last one, so a 'dirty' release runs a throwaway statement first.
 *
 * A stream whose reader has stalled costs no work but keeps its session. Such sessions do not count as active, so others are
 * opened beside them. When there are `maxSessions`, the stream that has stalled longest is cancelled.
 */
export class SessionPool {
  private readonly idle: Session[] = []
  private readonly acquired = new Set<Session>()
  /** The acquired sessions whose reader has stalled, the longest first, with what cancels their stream. */
  private readonly stalled = new Map<Session, () => void>()
  private readonly waiters: Waiter[] = []
  private isClosed = false
  private onAllReleased: (() => void) | undefined

  constructor(
    private readonly size: SessionPoolSize,
    private readonly open: () => Session,
    private readonly closeGraceMs = 3000,
  ) {
    for (let count = 0; count < size.maxActive; count += 1) this.idle.push(open())
  }

  /** Waits for a free session, first come first served. */
  async acquire(signal?: AbortSignal): Promise<Session> {
    if (this.isClosed) throw closedError()
    if (signal?.aborted) throw abortedError()
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.waiters.splice(this.waiters.indexOf(waiter), 1)
        reject(abortedError())
      }
      const waiter: Waiter = {
        resolve: (session) => {
          signal?.removeEventListener('abort', onAbort)
          resolve(session)
        },
        reject: (error) => {
          signal?.removeEventListener('abort', onAbort)
          reject(error)
        },
      }
      this.waiters.push(waiter)
      signal?.addEventListener('abort', onAbort, { once: true })
      this.serveWaiters()
    })
  }

  /** The reader of the session's stream has stalled. `cancel` must make its holder release it soon. */
  markStalled(session: Session, cancel: () => void): void {
    if (!this.acquired.has(session)) return
    this.stalled.set(session, cancel)
    this.serveWaiters()
  }

  /** The reader reads again. */
  markActive(session: Session): void {
    this.stalled.delete(session)
  }

  release(session: Session, state: 'clean' | 'dirty'): void {
    if (state === 'clean') this.makeIdle(session)
    else void this.cleanAndRelease(session)
  }

  /** Rejects the waiters, gives running statements some time to end, and closes all sessions. */
  async close(): Promise<void> {
    this.isClosed = true
    for (const { reject } of this.waiters.splice(0)) reject(closedError())
    if (this.acquired.size > 0) {
      // A stalled reader would keep its session forever.
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        this.onAllReleased = resolve
        timer = setTimeout(resolve, this.closeGraceMs)
      })
      clearTimeout(timer)
    }
    for (const session of [...this.idle.splice(0), ...this.acquired]) session.close()
    this.acquired.clear()
  }

  private makeIdle(session: Session): void {
    this.acquired.delete(session)
    this.stalled.delete(session)
    if (!session.open) return
    this.idle.push(session)
    this.serveWaiters()
    if (this.acquired.size === 0) this.onAllReleased?.()
  }

  private serveWaiters(): void {
    while (this.waiters.length > 0 && this.acquired.size - this.stalled.size < this.size.maxActive) {
      const session = this.idle.pop() ?? this.openAnother()
      if (!session) {
        const [longest] = this.stalled
        if (!longest) return
        const [stalledSession, cancel] = longest
        this.stalled.delete(stalledSession) // it is active until its statement has ended
        cancel()
        continue
      }
      this.acquired.add(session)
      this.waiters.shift()?.resolve(session)
    }
  }

  private openAnother(): Session | undefined {
    if (this.acquired.size >= this.size.maxSessions) return undefined
    try {
      return this.open()
    } catch {
      // The waiters get a session that is released.
      return undefined
    }
  }

  private async cleanAndRelease(session: Session): Promise<void> {
    const usable = await this.clean(session)
    this.acquired.delete(session)
    this.acquired.add(usable)
    this.makeIdle(usable)
  }

  private async clean(session: Session): Promise<Session> {
    try {
      await session.queryAsync('SELECT 1')
      return session
    } catch {
      // This may still be the error of the last statement. A session that fails twice is replaced.
      try {
        await session.queryAsync('SELECT 1')
        return session
      } catch {
        if (!session.open) return session
        session.close()
        return this.open()
      }
    }
  }
}

function closedError() {
  return new StoreError('unavailable', 'The store is closed.')
}

function abortedError() {
  return new StoreError('aborted', 'The statement was aborted before it started.')
}
