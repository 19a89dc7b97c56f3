import type { Session } from 'chdb'
import { StoreError } from './store-error'

type Waiting = { take: (session: Session) => void; refuse: (error: Error) => void }

/**
 * Sessions of the embedded engine, each running one statement at a time. A session that saw an error or was left
 * early answers the next statement with the failed one's rows, so `giveBack` runs a throwaway statement first.
 */
export class SessionPool {
  private readonly idle: Session[] = []
  private readonly busy = new Set<Session>()
  private readonly waiting: Waiting[] = []
  private isClosed = false
  private whenIdle: (() => void) | undefined

  constructor(
    size: number,
    private readonly open: () => Session,
    private readonly graceMs = 3000,
  ) {
    for (let count = 0; count < size; count += 1) this.idle.push(open())
  }

  /** Waits for a free session, first come first served. */
  async take(signal?: AbortSignal): Promise<Session> {
    if (this.isClosed) throw closed()
    if (signal?.aborted) throw aborted()
    const free = this.idle.pop()
    if (free) {
      this.busy.add(free)
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
    if (!session.open) return
    const next = this.waiting.shift()
    if (next) {
      next.take(session)
      return
    }
    this.busy.delete(session)
    this.idle.push(session)
    if (this.busy.size === 0) this.whenIdle?.()
  }

  private async passCleansed(session: Session): Promise<void> {
    const usable = await this.cleanse(session)
    if (usable !== session) {
      this.busy.delete(session)
      this.busy.add(usable)
    }
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
