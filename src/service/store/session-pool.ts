import type { EngineSession } from './engine-session'
import { closedError, StoreError } from './store-error'

type Waiter = { resolve: (session: EngineSession) => void; reject: (error: Error) => void }

const defaultIdleMs = 30_000

/**
 * Sessions of the embedded engine, each running one statement at a time. They are opened as they are needed, up to
 * `maxSessions`; who may run a statement is decided before (`StatementTurns`). Those that nobody needed for `idleMs` are
 * closed, but one: each takes about two megabytes. After an error, or when a stream is left
 * early, a session answers the next statement with rows of the last one, so a 'dirty' release runs a throwaway statement first.
 */
export class SessionPool {
  private readonly opening = new Set<Promise<void>>()
  private readonly idle: EngineSession[] = []
  private readonly acquired = new Set<EngineSession>()
  private readonly waiters: Waiter[] = []
  private isClosed = false
  private onAllReleased: (() => void) | undefined
  private shrinking: NodeJS.Timeout | undefined
  /** The fewest idle sessions since the last look: so many are not needed. */
  private minIdle = 0

  constructor(
    private readonly maxSessions: number,
    private readonly open: () => Promise<EngineSession>,
    private readonly times = { closeGraceMs: 3000, idleMs: defaultIdleMs },
  ) {}

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
    clearTimeout(this.shrinking)
    for (const { reject } of this.waiters.splice(0)) reject(closedError())
    if (this.acquired.size > 0) {
      // A stalled reader would keep its session forever.
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        this.onAllReleased = resolve
        timer = setTimeout(resolve, this.times.closeGraceMs)
      })
      clearTimeout(timer)
    }
    await Promise.all(this.opening)
    for (const session of [...this.idle.splice(0), ...this.acquired]) session.close()
    this.acquired.clear()
  }

  private makeIdle(session: EngineSession): void {
    this.acquired.delete(session)
    if (session.isOpen) this.idle.push(session)
    this.serveWaiters()
    if (this.acquired.size === 0) this.onAllReleased?.()
    if (this.idle.length > 1 && !this.isClosed) this.shrinking ??= setTimeout(() => this.shrink(), this.times.idleMs).unref()
  }

  /** Idle sessions are taken from the end, so the first ones have waited longest. */
  private shrink(): void {
    for (const session of this.idle.splice(0, Math.min(this.minIdle, this.idle.length - 1))) session.close()
    this.minIdle = this.idle.length
    this.shrinking = this.idle.length > 1 ? setTimeout(() => this.shrink(), this.times.idleMs).unref() : undefined
  }

  private serveWaiters(): void {
    while (this.waiters.length > 0) {
      const session = this.idle.pop()
      this.minIdle = Math.min(this.minIdle, this.idle.length)
      if (!session) break
      this.acquired.add(session)
      this.waiters.shift()?.resolve(session)
    }
    while (this.opening.size < this.waiters.length && this.acquired.size + this.opening.size < this.maxSessions) {
      const opening = this.openAnother().finally(() => this.opening.delete(opening))
      this.opening.add(opening)
    }
  }

  private async openAnother(): Promise<void> {
    try {
      const session = await this.open()
      if (this.isClosed) session.close()
      else this.makeIdle(session)
    } catch (error) {
      // The waiters get a session that is released, or one that is being opened. Without any they would wait forever.
      if (this.acquired.size > 0 || this.opening.size > 1) return
      const reason = new StoreError('unavailable', 'no session of the engine can be opened', { cause: error })
      for (const { reject } of this.waiters.splice(0)) reject(reason)
    }
  }

  private async cleanAndRelease(session: EngineSession): Promise<void> {
    if (!(await this.isCleaned(session))) session.close()
    this.makeIdle(session)
  }

  private async isCleaned(session: EngineSession): Promise<boolean> {
    try {
      await session.run('SELECT 1')
      return true
    } catch {
      // This may still be the error of the last statement. A session that fails twice is replaced.
      return await session.run('SELECT 1').then(
        () => true,
        () => false,
      )
    }
  }
}

function abortedError() {
  return new StoreError('aborted', 'The statement was aborted before it started.')
}
