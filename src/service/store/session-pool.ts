import type { EngineSession } from './engine-session'
import { StoreError } from './store-error'

type Waiter = { resolve: (session: EngineSession) => void; reject: (error: Error) => void }

/**
 * Sessions of the embedded engine, each running one statement at a time. They are opened as they are needed, up to
 * `maxSessions`; who may run a statement is decided before (`StatementTurns`). After an error, or when a stream is left
 * early, a session answers the next statement with rows of the last one, so a 'dirty' release runs a throwaway statement first.
 */
export class SessionPool {
  private readonly idle: EngineSession[] = []
  private readonly acquired = new Set<EngineSession>()
  private readonly waiters: Waiter[] = []
  private isClosed = false
  private onAllReleased: (() => void) | undefined

  constructor(
    private readonly maxSessions: number,
    private readonly open: () => EngineSession,
    private readonly closeGraceMs = 3000,
  ) {
    // The first at once: its errors are those of the folder.
    this.idle.push(open())
  }

  /** Waits for a free session, first come first served. */
  async acquire(signal?: AbortSignal): Promise<EngineSession> {
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

  release(session: EngineSession, state: 'clean' | 'dirty'): void {
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

  private makeIdle(session: EngineSession): void {
    this.acquired.delete(session)
    if (!session.isOpen) return
    this.idle.push(session)
    this.serveWaiters()
    if (this.acquired.size === 0) this.onAllReleased?.()
  }

  private serveWaiters(): void {
    while (this.waiters.length > 0) {
      const session = this.idle.pop() ?? this.openAnother()
      if (!session) return
      this.acquired.add(session)
      this.waiters.shift()?.resolve(session)
    }
  }

  private openAnother(): EngineSession | undefined {
    if (this.acquired.size >= this.maxSessions) return undefined
    try {
      return this.open()
    } catch {
      // The waiters get a session that is released.
      return undefined
    }
  }

  private async cleanAndRelease(session: EngineSession): Promise<void> {
    const usable = await this.clean(session)
    this.acquired.delete(session)
    this.acquired.add(usable)
    this.makeIdle(usable)
  }

  private async clean(session: EngineSession): Promise<EngineSession> {
    try {
      await session.run('SELECT 1')
      return session
    } catch {
      // This may still be the error of the last statement. A session that fails twice is replaced.
      try {
        await session.run('SELECT 1')
        return session
      } catch {
        if (!session.isOpen) return session
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
