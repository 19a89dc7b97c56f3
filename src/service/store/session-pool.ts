import type { Session } from 'chdb'
import { StoreError } from './store-error'

type Waiting = { take: (session: Session) => void; refuse: (error: Error) => void }

/**
 * Sessions of the embedded engine, each running one statement at a time. A session that saw an error or was left
 * early answers the next statement with the failed one's rows, so `giveBack` runs a throwaway statement first.
 */
export class SessionPool {
  private readonly idle: Session[] = []
  private readonly waiting: Waiting[] = []
  private readonly cleaning = new Set<Promise<void>>()
  private busyCount = 0
  private isClosed = false
  private whenIdle: (() => void) | undefined

  constructor(
    size: number,
    private readonly open: () => Session,
  ) {
    for (let count = 0; count < size; count += 1) this.idle.push(open())
  }

  /** Waits for a free session, first come first served. */
  async take(signal?: AbortSignal): Promise<Session> {
    if (this.isClosed) throw closed()
    if (signal?.aborted) throw aborted()
    const free = this.idle.pop()
    if (free) {
      this.busyCount += 1
      return free
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1)
        reject(aborted())
      }
      const waiting: Waiting = {
        take: (session) => {
          signal?.removeEventListener('abort', leave)
          resolve(session)
        },
        refuse: (error) => {
          signal?.removeEventListener('abort', leave)
          reject(error)
        },
      }
      this.waiting.push(waiting)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  giveBack(session: Session, state: 'clean' | 'suspect'): void {
    if (state === 'clean') {
      this.pass(session)
      return
    }
    const cleaned = this.cleanse(session).then((usable) => this.pass(usable))
    this.cleaning.add(cleaned)
    void cleaned.finally(() => this.cleaning.delete(cleaned))
  }

  /** Refuses who waits, lets the running statements end, closes. */
  async close(): Promise<void> {
    this.isClosed = true
    for (const { refuse } of this.waiting.splice(0)) refuse(closed())
    if (this.busyCount > 0) await new Promise<void>((resolve) => (this.whenIdle = resolve))
    for (const session of this.idle.splice(0)) session.close()
  }

  private pass(session: Session): void {
    const next = this.waiting.shift()
    if (next) {
      next.take(session)
      return
    }
    this.idle.push(session)
    this.busyCount -= 1
    if (this.busyCount === 0) this.whenIdle?.()
  }

  private async cleanse(session: Session): Promise<Session> {
    try {
      await session.queryAsync('SELECT 1')
      return session
    } catch {
      // One failure may itself be the left-over; a session that cannot answer twice is replaced.
      try {
        await session.queryAsync('SELECT 1')
        return session
      } catch {
        session.close()
        return this.open()
      }
    }
  }
}

function closed() {
  return new StoreError('unavailable', 'The store is closed.')
}

function aborted() {
  return new StoreError('aborted', 'The statement was given up before it began.')
}
