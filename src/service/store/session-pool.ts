import type { Session } from 'chdb'
import { StoreError } from './store-error'

type Waiting = { take: (session: Session) => void; refuse: (error: Error) => void }

export type SessionPoolSize = {
  /** Statements that run at once. */
  working: number
  /** Sessions in all, those whose reader has stopped for a while included. */
  most: number
}

/**
 * Sessions of the embedded engine, each running one statement at a time. A session that saw an error or was left
 * early answers the next statement with the failed one's rows, so `giveBack` runs a throwaway statement first.
 *
 * A stream whose reader does not read costs no work but keeps its session. Such sessions do not count as working, so
 * others are opened beside them; when there are as many as there may be, the reader that has rested longest gives way.
 */
export class SessionPool {
  private readonly idle: Session[] = []
  private readonly busy = new Set<Session>()
  /** Of the busy ones, those that wait for a reader, the longest first, with what takes them from it. */
  private readonly resting = new Map<Session, () => void>()
  private readonly waiting: Waiting[] = []
  private isClosed = false
  private whenIdle: (() => void) | undefined

  constructor(
    private readonly size: SessionPoolSize,
    private readonly open: () => Session,
    private readonly graceMs = 3000,
  ) {
    for (let count = 0; count < size.working; count += 1) this.idle.push(open())
  }

  /** Waits for a free session, first come first served. */
  async acquire(signal?: AbortSignal): Promise<Session> {
    if (this.isClosed) throw closed()
    if (signal?.aborted) throw aborted()
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
      this.serve()
    })
  }

  /** Says that the session's statement waits for its reader; `evict` must make its holder give it back soon. */
  markStalled(session: Session, evict: () => void): void {
    if (!this.busy.has(session)) return
    this.resting.set(session, evict)
    this.serve()
  }

  /** Says that the reader reads again. */
  markActive(session: Session): void {
    this.resting.delete(session)
  }

  release(session: Session, state: 'clean' | 'suspect'): void {
    if (state === 'clean') {
      this.pass(session)
      return
    }
    void this.passCleansed(session)
  }

  /** Refuses who waits, lets the running statements end for a while, closes. */
  async close(): Promise<void> {
    this.isClosed = true
    for (const { refuse } of this.waiting.splice(0)) refuse(closed())
    if (this.busy.size > 0) {
      // A reader that has stopped reading would hold its session for ever.
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        this.whenIdle = resolve
        timer = setTimeout(resolve, this.graceMs)
      })
      clearTimeout(timer)
    }
    for (const session of [...this.idle.splice(0), ...this.busy]) session.close()
    this.busy.clear()
  }

  private pass(session: Session): void {
    this.busy.delete(session)
    this.resting.delete(session)
    if (!session.open) return
    this.idle.push(session)
    this.serve()
    if (this.busy.size === 0) this.whenIdle?.()
  }

  /** Gives sessions to those who wait, as far as there are any. */
  private serve(): void {
    while (this.waiting.length > 0 && this.busy.size - this.resting.size < this.size.working) {
      const session = this.idle.pop() ?? this.another()
      if (!session) {
        const [longest] = this.resting
        if (!longest) return
        const [rested, evict] = longest
        this.resting.delete(rested) // it works again, on its own end
        evict()
        continue
      }
      this.busy.add(session)
      this.waiting.shift()?.take(session)
    }
  }

  private another(): Session | undefined {
    if (this.busy.size >= this.size.most) return undefined
    try {
      return this.open()
    } catch {
      // Who waits may have one that comes back.
      return undefined
    }
  }

  private async passCleansed(session: Session): Promise<void> {
    const usable = await this.cleanse(session)
    this.busy.delete(session)
    this.busy.add(usable)
    this.pass(usable)
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
        if (!session.open) return session
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
